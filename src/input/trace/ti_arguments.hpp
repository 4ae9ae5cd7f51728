// The words of a trace's line → numbers, ranks, tags and data types; the first fault stays.
#pragma once

#include "input/trace/ti_reader.hpp"

#include <span>

namespace kakehashi {

class TiArguments {
public:
  TiArguments(std::span<const std::string_view> words, int rank, const TiForm& form, std::uint64_t default_type)
      : words_(words), rank_(rank), form_(form), default_type_(default_type) {}

  int rank() const { return rank_; } // whose line it is
  int ranks() const { return form_.ranks; }
  std::size_t left() const { return words_.size(); }
  const std::string& fault() const { return fault_; } // empty: none

  // Each takes the next word.
  double number(std::string_view expected); // of zero or more
  Flops flops() { return {number("a number of floating-point operations")}; }
  std::uint64_t count() { return whole("a number of elements"); }
  std::vector<std::uint64_t> counts(); // one for each rank
  std::optional<int> source();         // none: any
  std::optional<int> target();         // none: nobody
  std::optional<int> tag();            // none: any
  int root();                          // 0 if there is none
  std::uint64_t type();                // the size of an element; the default if there is none
  void skip(std::size_t words) { words_ = words_.subspan(std::min(words, words_.size())); }

  // So many elements of a size.
  Bytes bytes(std::uint64_t elements, std::uint64_t type);
  // The same for each.
  void scale(std::vector<std::uint64_t>& elements, std::uint64_t type);

private:
  std::uint64_t whole(std::string_view expected);
  std::optional<int> rank_or(std::span<const int> none);
  std::optional<int> integer(std::string_view expected);
  void fail(std::string_view found, std::string_view expected);
  std::string_view take();

  std::span<const std::string_view> words_;
  int rank_;
  const TiForm& form_;
  std::uint64_t default_type_;
  std::string fault_;
};

} // namespace kakehashi
