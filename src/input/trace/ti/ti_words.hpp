// The vocabulary of time-independent traces: the meaning of each word and its arguments.
#pragma once

#include "input/trace/ti/ti_form.hpp"
#include "input/trace/ti/ti_reader.hpp"
#include "model/trace_event.hpp"

#include <span>

namespace kakehashi {

// The words of a trace's line → numbers, ranks, tags and data types. The first fault is kept.

// The rank of a line, and the call in it.
struct TiLine {
  std::string_view word; // in the vocabulary
  int rank = 0;          // in the communicator of the call
  int ranks = 0;         // in that communicator
  std::size_t communicator = 0;
  std::uint64_t default_type = 1; // its size in bytes
};

// The size of one of MPI's own data types in bytes; 0: it has none, or is none of these.
std::uint64_t size_of_type(int number);

class TiArguments {
public:
  TiArguments(std::span<const TiText> words, const TiLine& line, const DerivedTypes& derived_types)
      : words_(words), line_(line), derived_types_(derived_types) {}

  const TiLine& line() const { return line_; }
  int rank() const { return line_.rank; }
  int ranks() const { return line_.ranks; }
  std::size_t left() const { return words_.size(); }
  const std::string& fault() const { return fault_; } // empty: none

  // Each of these takes the next word.
  double number(std::string_view expected); // must be zero or more
  Flops flops() { return {number("a number of floating-point operations")}; }
  std::uint64_t count() { return whole("a number of elements"); }
  std::vector<std::uint64_t> counts(); // one for each rank
  std::optional<int> source();         // none: any
  std::optional<int> target();         // none: nobody
  std::optional<int> tag();            // none: any
  int root();                          // 0 if there is none
  bool is_of_collective(); // whether the next word is the tag of a collective call's own messages; takes nothing
  std::uint64_t type(std::optional<int> tag = {});            // the size of an element; the default if no type follows
  bool expect(std::size_t words, std::string_view arguments); // false, with a fault, unless there are so many words
  bool are_zeros(std::size_t words) const;                    // whether the next words are zeros
  void skip(std::size_t words) { words_ = words_.subspan(std::min(words, words_.size())); }

  // The bytes of `elements` of a type.
  Bytes bytes(std::uint64_t elements, std::uint64_t type);
  // Does the same for each number.
  void scale(std::vector<std::uint64_t>& elements, std::uint64_t type);

private:
  std::uint64_t whole(std::string_view expected);
  std::optional<int> rank_or(std::span<const int> none);
  std::optional<int> integer(std::string_view expected);
  void fail(std::string_view found, std::string_view expected);
  const TiText& take();

  std::optional<Bytes> derived_size(int type, std::optional<int> tag) const;

  std::span<const TiText> words_;
  TiLine line_;
  const DerivedTypes& derived_types_;
  std::string fault_;
};

struct TiWord {
  std::string_view word;      // in small letters
  std::string_view arguments; // the arguments as messages list them; those in brackets may be left out
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
