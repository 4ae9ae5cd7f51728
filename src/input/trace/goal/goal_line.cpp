#include "input/trace/goal/goal_line.hpp"

#include "base/error.hpp"
#include "base/number.hpp"

#include <fmt/format.h>

namespace kakehashi {
namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Splits a line into words, numbers and the signs ':', '{' and '}'. "10b" is a number and a word.
std::vector<std::string_view> tokens_of(std::string_view line) {
  std::vector<std::string_view> tokens;
  for (std::size_t at = 0; at < line.size();) {
    const auto begin = at++;
    const char first = line[begin];
    if (first == ' ' || first == '\t' || first == '\r')
      continue;
    if (is_letter(first))
      while (at < line.size() && (is_letter(line[at]) || is_digit(line[at]) || line[at] == '_'))
        ++at;
    else if (is_digit(first) || first == '-')
      while (at < line.size() && is_digit(line[at]))
        ++at;
    tokens.push_back(line.substr(begin, at - begin));
  }
  return tokens;
}

} // namespace

GoalLine::GoalLine(std::string_view line) : tokens_(tokens_of(line)) {}

bool GoalLine::is_at_word() const {
  return !at_end() && is_letter(tokens_[at_].front());
}

bool GoalLine::take(std::string_view token) {
  const bool is_next = !at_end() && tokens_[at_] == token;
  at_ += is_next;
  return is_next;
}

std::optional<std::int64_t> GoalLine::take_number(std::int64_t least) {
  if (at_end())
    return std::nullopt;
  const auto value = number_in<std::int64_t>(tokens_[at_]);
  if (!value || *value < least)
    return std::nullopt;
  ++at_;
  return value;
}

std::string GoalLine::expected(std::string_view what) const {
  return mismatch(at_end() ? "the end of the line" : fmt::format("\"{}\"", tokens_[at_].substr(0, 40)), what);
}

} // namespace kakehashi
