// A line of GOAL as text → its words and numbers, one after the other.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kakehashi {

class GoalLine {
public:
  GoalLine() = default;
  explicit GoalLine(std::string_view line);

  bool at_end() const { return at_ == tokens_.size(); }
  // Returns the next token, or one after it; empty: there is none.
  std::string_view peek(std::size_t ahead = 0) const {
    return at_ + ahead < tokens_.size() ? tokens_[at_ + ahead] : std::string_view();
  }
  bool is_at_word() const; // whether the next token begins with a letter
  void skip(std::size_t tokens) { at_ += tokens; }
  std::string_view take() { return tokens_[at_++]; }
  bool take(std::string_view token); // takes the token only if it is the next one
  // Takes nothing and returns nothing if the next token is no number, or too small.
  std::optional<std::int64_t> take_number(std::int64_t least = std::numeric_limits<std::int64_t>::min());
  // Returns `got NEXT, expected WHAT`.
  std::string expected(std::string_view what) const;

private:
  std::vector<std::string_view> tokens_;
  std::size_t at_ = 0;
};

} // namespace kakehashi
