#include "input/trace/goal/goal_operation.hpp"

#include "base/error.hpp"
#include "base/number.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace kakehashi {
namespace {

using Kind = ScheduledOperation::Kind;

// The beginning of an operation that moves data.
struct Move {
  std::string_view word;
  Kind kind;
  std::string_view peer; // the word before the rank
  bool has_terms;
  bool is_triggered;
};
constexpr std::array moves{
    Move{"send", Kind::send, "to", false, false},  Move{"recv", Kind::receive, "from", false, false},
    Move{"put", Kind::put, "to", true, false},     Move{"tput", Kind::put, "to", true, true},
    Move{"append", Kind::append, "", true, false}, Move{"tappend", Kind::append, "", true, true}};

struct Unknown {
  std::string_view word;
  std::string_view why;
};
constexpr std::array unknown{
    Unknown{"get", "a get, whose match at the other rank is not modelled; puts are"},
    Unknown{"tget", "a get, whose match at the other rank is not modelled; puts are"},
    Unknown{"calcgem5", "a program for gem5, which is not run here; calc states a time"},
    Unknown{"overflow_list", "an append for messages that come too early, which wait for their append here anyway"}};

class OperationReader {
public:
  OperationReader(GoalLine& line, int ranks, GoalOperation& into) : line_(line), ranks_(ranks), into_(into) {}

  std::string read() {
    if (line_.take("calc"))
      return read_work();
    if (line_.take("test"))
      return read_test();
    for (const auto& [word, why] : unknown)
      if (line_.peek() == word)
        return fmt::format("got {}", why);
    const auto move = std::ranges::find(moves, line_.peek(), &Move::word);
    if (move == moves.end())
      return line_.expected("calc, send, recv or a label");
    line_.skip(1);
    return read_move(*move);
  }

private:
  ScheduledOperation& operation() { return into_.operation; }
  CounterTerms& terms() { return *into_.terms; }

  std::string read_work() {
    const auto time = line_.take_number(0);
    if (!time)
      return line_.expected("a time in ns");
    operation().time = {1e-9 * static_cast<double>(*time)};
    return read_rest();
  }

  std::string read_test() {
    operation().kind = Kind::test;
    into_.terms.emplace();
    if (auto fault = read_condition("for"); !fault.empty())
      return fault;
    return read_rest();
  }

  // Reads COUNTER WORD NUMBER.
  std::string read_condition(std::string_view word) {
    if (auto fault = read_counter(terms().trigger); !fault.empty())
      return fault;
    if (!line_.take(word))
      return line_.expected(word);
    const auto number = line_.take_number(0);
    if (!number)
      return line_.expected("a number");
    terms().threshold = static_cast<std::uint64_t>(*number);
    return "";
  }

  std::string read_counter(std::optional<std::uint32_t>& counter) {
    const auto number = line_.take_number(0);
    if (!number || *number >= std::numeric_limits<std::uint32_t>::max())
      return number ? mismatch(fmt::format("counter {}", *number), "a smaller number") : line_.expected("a counter");
    counter = static_cast<std::uint32_t>(*number);
    return "";
  }

  std::string read_move(const Move& move) {
    operation().kind = move.kind;
    operation().tag = 0;
    is_triggered_ = move.is_triggered;
    if (move.has_terms)
      into_.terms.emplace();
    const auto size = line_.take_number(0);
    if (!size)
      return line_.expected("a size such as 10b");
    if (static_cast<std::uint64_t>(*size) > largest_size.count)
      return mismatch(fmt::format("{} B", *size), bytes_range);
    if (!line_.take("b"))
      return line_.expected("a size such as 10b");
    operation().size = {static_cast<std::uint64_t>(*size)};
    if (move.kind == Kind::append)
      return read_append();
    if (!line_.take(move.peer))
      return line_.expected(move.peer);
    if (auto fault = read_peer(); !fault.empty())
      return fault;
    return read_rest();
  }

  std::string read_append() {
    terms().messages = CounterTerms::all;
    has_peer_ = false;
    if (!line_.take("to"))
      return line_.expected("to");
    if (line_.peek() == "overflow_list")
      return fmt::format("got {}", unknown.back().why);
    if (!line_.take("priority_list"))
      return line_.expected("priority_list");
    if (auto fault = read_rest(); !fault.empty())
      return fault;
    return has_peer_ ? "" : line_.expected("allowed");
  }

  std::string read_peer() {
    const auto peer = line_.take_number();
    if (!peer)
      return line_.expected("a rank");
    const bool may_be_any = operation().kind == Kind::receive || operation().kind == Kind::append;
    const bool is_any = may_be_any && *peer == -1;
    if (!is_any && (*peer < 0 || *peer >= ranks_))
      return mismatch(fmt::format("rank {}", *peer), fmt::format("a rank from 0 to {}", ranks_ - 1));
    if (!is_any)
      operation().peer = static_cast<int>(*peer);
    has_peer_ = true;
    return "";
  }

  // Reads the parts that may come in any order.
  std::string read_rest() {
    while (!line_.at_end() && line_.peek() != "}") {
      const bool is_work = operation().kind == Kind::work || operation().kind == Kind::test;
      std::string fault;
      if (line_.take("cpu"))
        fault = read_small(operation().cpu);
      else if (line_.take("nic"))
        fault = read_small(ignored_);
      else if (!is_work && line_.take("tag"))
        fault = read_tag();
      else if (into_.terms && !is_work && !line_.at_end())
        fault = read_term();
      else
        fault = line_.expected("tag, cpu or nic");
      if (!fault.empty())
        return fault;
    }
    return is_triggered_ && !terms().trigger ? line_.expected("when") : "";
  }

  std::string read_small(int& into, std::int64_t least = 0) {
    const auto number = line_.take_number(least);
    if (!number)
      return line_.expected("a number");
    if (*number > std::numeric_limits<int>::max())
      return mismatch(fmt::format("number {}", *number), "a smaller number");
    into = static_cast<int>(*number);
    return "";
  }

  // A put of tag -1 with a counter sends nothing; it adds one to the counter.
  std::string read_tag() {
    const bool only_counts = operation().kind == Kind::put;
    int tag = 0;
    auto fault = read_small(tag, operation().kind == Kind::receive || only_counts ? -1 : 0);
    operation().tag = tag == -1 ? std::nullopt : std::optional(tag);
    return fault;
  }

  std::string read_term() {
    const bool is_append = operation().kind == Kind::append;
    if (line_.take("ct"))
      return read_counter(terms().counter);
    if (is_triggered_ && line_.take("when"))
      return read_condition("reaches");
    if (is_append && line_.take("allowed"))
      return read_peer();
    if (is_append && line_.take("use_once")) {
      terms().messages = 1;
      return "";
    }
    for (const std::string_view handler : {"hh", "ph", "ch"})
      if (is_append && line_.peek() == handler)
        return fmt::format("got a handler ({}), a program of the adapter, which is not modelled", handler);
    for (const std::string_view argument : {"arg1", "arg2", "arg3", "arg4", "mem"}) // arguments of handlers
      if (line_.take(argument))
        return line_.take_number() ? "" : line_.expected("a number");
    return line_.expected(is_append ? "allowed, ct, use_once, tag, cpu or nic" : "ct, tag, cpu or nic");
  }

  GoalLine& line_;
  int ranks_;
  GoalOperation& into_;
  bool is_triggered_ = false;
  bool has_peer_ = true;
  int ignored_ = 0;
};

} // namespace

std::string read_goal_operation(GoalLine& line, int ranks, GoalOperation& into) {
  return OperationReader(line, ranks, into).read();
}

namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

} // namespace

// Splits it into words, numbers and the signs ':', '{' and '}'. "10b" is a number and a word.
void GoalLine::begin(std::string_view line) {
  at_ = 0;
  tokens_.clear();
  for (std::size_t at = 0; at < line.size();) {
    const auto begin = at++;
    const char first = line[begin];
    if (is_blank(first))
      continue;
    if (is_letter(first))
      while (at < line.size() && (is_letter(line[at]) || is_digit(line[at]) || line[at] == '_'))
        ++at;
    else if (is_digit(first) || first == '-')
      while (at < line.size() && is_digit(line[at]))
        ++at;
    tokens_.push_back(line.substr(begin, at - begin));
  }
}

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
