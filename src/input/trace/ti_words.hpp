// The vocabulary of time-independent traces: what the arguments of each word become.
#pragma once

#include "input/trace/ti_arguments.hpp"
#include "model/trace_event.hpp"

namespace kakehashi {

struct TiWord {
  std::string_view word;      // in small letters
  std::string_view arguments; // for messages; those in brackets may be left out
  std::size_t needed = 0;
  std::size_t lists = 0;                                         // beside them: so many words for each rank
  void (*read)(TiArguments& words, TraceEvent& event) = nullptr; // null: no event

  bool is_collective() const;
  std::size_t optional() const; // arguments that may be left out
  // Of how many ranks the communicator is if a call has so many arguments, with all that may be left out; none: of no
  // number.
  std::optional<std::size_t> ranks_for(std::size_t arguments_found) const;
};

// Words are read in capitals and small letters alike. Null: there is no such word.
const TiWord* find_word(std::string_view word);

// A call such as ibcast. Null: it is none.
const TiWord* find_nonblocking_call(std::string_view word);

// The word that may have been meant; empty: none is close.
std::string closest_word(std::string_view word);

} // namespace kakehashi
