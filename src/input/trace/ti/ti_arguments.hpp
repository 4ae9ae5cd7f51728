// The words of a trace's line → numbers, ranks, tags and data types. The first fault is kept.
#pragma once

#include "input/trace/ti/ti_form.hpp"

#include <span>

namespace kakehashi {

// The rank of a line, and the call in it.
struct TiLine {
  std::string_view word; // in the vocabulary
  int rank = 0;          // in the communicator of the call
  int ranks = 0;         // in that communicator
  std::size_t communicator = 0;
  std::uint64_t default_type = 1; // its size in bytes
};

class TiArguments {
public:
  TiArguments(std::span<const std::string_view> words, const TiLine& line, const DerivedTypes& derived_types)
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
  std::string_view take();

  std::optional<Bytes> derived_size(int type, std::optional<int> tag) const;

  std::span<const std::string_view> words_;
  TiLine line_;
  const DerivedTypes& derived_types_;
  std::string fault_;
};

} // namespace kakehashi
