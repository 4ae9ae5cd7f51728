// The vocabulary of time-independent traces: the meaning of each word and its arguments.
#pragma once

#include "input/trace/ti/ti_arguments.hpp"
#include "model/trace_event.hpp"

namespace kakehashi {

struct TiWord {
  std::string_view word;      // in small letters
  std::string_view arguments; // for messages; arguments in brackets may be left out
  std::size_t needed = 0;
  std::size_t lists = 0;                                         // besides these: words for each rank
  void (*read)(TiArguments& words, TraceEvent& event) = nullptr; // null: it gives no event

  bool is_collective() const;
  std::size_t optional() const; // number of arguments that may be left out
  // Returns the size of the communicator if a call has this many arguments, including all optional ones; none: no size
  // fits.
  std::optional<std::size_t> ranks_for(std::size_t arguments_found) const;
};

// Words may be in capitals or small letters. Returns null if there is no such word.
const TiWord* find_word(std::string_view word);

// Finds the word of a call such as ibcast. Returns null if it is none.
const TiWord* find_nonblocking_call(std::string_view word);

// Returns the word that was probably meant; empty: none is close.
std::string closest_word(std::string_view word);

} // namespace kakehashi
