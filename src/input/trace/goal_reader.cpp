#include "input/trace/goal_reader.hpp"

#include "base/number.hpp"
#include "input/json/json_document.hpp"
#include "input/trace/goal_binary.hpp"
#include "input/trace/goal_graph.hpp"

#include <fmt/format.h>
#include <limits>

namespace kakehashi {
namespace {

constexpr std::size_t largest_file = std::size_t{4} << 30;

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Words and numbers, and the signs ':', '{' and '}', each on its own. "10b" is a number and a word.
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

// The text without its comments, // and /* */, but with all its ends of lines.
std::string without_comments(std::string_view text) {
  std::string kept;
  kept.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const auto two = text.substr(at, 2);
    if (two == "//") {
      at = std::min(text.find('\n', at), text.size());
    } else if (two == "/*") {
      const auto end = std::min(text.find("*/", at + 2), text.size());
      for (; at < end; ++at)
        if (text[at] == '\n')
          kept += '\n';
      at = std::min(at + 2, text.size());
    } else {
      kept += text[at++];
    }
  }
  return kept;
}

class GoalParser {
public:
  GoalParser(const std::string& file, int ranks)
      : file_(file), ranks_(ranks), graphs_(static_cast<std::size_t>(ranks)) {}

  void read_line(std::string_view line) {
    ++line_;
    tokens_ = tokens_of(line);
    at_ = 0;
    while (at_ < tokens_.size() && errors_.size() < most_told)
      if (!read_statement())
        return;
  }

  Result<Schedule> finish() {
    if (rank_ >= 0)
      add(fmt::format("the schedule of rank {} has no closing bracket", rank_));
    Schedule schedule{file_, {}};
    for (int rank = 0; rank < ranks_ && errors_.size() < most_told; ++rank) {
      auto& graph = graphs_[static_cast<std::size_t>(rank)];
      if (!graph.is_begun())
        errors_.push_back(error("", fmt::format("there is no schedule of rank {}", rank)));
      for (const auto& [line, message] : graph.finish())
        errors_.push_back(error(fmt::format("line {}", line), message));
      schedule.ranks.push_back(graph.take());
    }
    if (!errors_.empty())
      return errors_;
    return schedule;
  }

private:
  static constexpr std::size_t most_told = 20;

  Error error(std::string place, std::string message) const {
    return input_error(file_, std::move(place), std::move(message));
  }
  bool add(std::string message) {
    errors_.push_back(error(fmt::format("line {}", line_), std::move(message)));
    return false;
  }
  bool expected(std::string_view what) {
    return add(mismatch(
        at_ < tokens_.size() ? fmt::format("\"{}\"", tokens_[at_].substr(0, 40)) : "the end of the line", what));
  }
  bool take(std::string_view token) {
    const bool is_next = at_ < tokens_.size() && tokens_[at_] == token;
    at_ += is_next;
    return is_next;
  }
  // Nothing is taken if it is none, or too small.
  std::optional<std::int64_t> take_number(std::int64_t least = std::numeric_limits<std::int64_t>::min()) {
    if (at_ == tokens_.size())
      return std::nullopt;
    const auto value = number_in<std::int64_t>(tokens_[at_]);
    if (!value || *value < least)
      return std::nullopt;
    ++at_;
    return value;
  }

  // num_ranks N, rank N {, }, or a line of a schedule. Whether it was one.
  bool read_statement() {
    if (take("num_ranks"))
      return read_count();
    if (take("rank"))
      return read_rank();
    if (take("}")) {
      const bool is_open = rank_ >= 0;
      rank_ = -1;
      return is_open || add(mismatch("a closing bracket", "the schedule of a rank before it"));
    }
    if (rank_ < 0)
      return expected("num_ranks or rank");
    return read_operation();
  }

  bool read_count() {
    const auto count = take_number();
    if (!count)
      return expected("a number of ranks");
    if (*count != ranks_)
      return add(mismatch(fmt::format("num_ranks {}", *count), fmt::format("{}, as in the scenario", ranks_)));
    return true;
  }

  bool read_rank() {
    const auto rank = take_number();
    if (!rank)
      return expected("a rank");
    if (*rank < 0 || *rank >= ranks_)
      return add(mismatch(fmt::format("rank {}", *rank), fmt::format("a rank from 0 to {}", ranks_ - 1)));
    if (!take("{"))
      return expected("\"{\"");
    rank_ = static_cast<int>(*rank);
    auto& graph = graphs_[static_cast<std::size_t>(rank_)];
    return graph.begin() ||
           add(mismatch(fmt::format("the schedule of rank {} twice", rank_), "one schedule for each rank"));
  }

  // [LABEL:] OPERATION, or LABEL requires LABEL
  bool read_operation() {
    auto& graph = graphs_[static_cast<std::size_t>(rank_)];
    const bool is_word = is_letter(tokens_[at_].front());
    if (is_word && at_ + 1 < tokens_.size()) {
      const auto label = tokens_[at_];
      const auto next = tokens_[at_ + 1];
      if (next == "requires" || next == "irequires") {
        at_ += 2;
        if (at_ == tokens_.size() || !is_letter(tokens_[at_].front()))
          return expected("a label");
        graph.add_dependency(std::string(label), std::string(tokens_[at_++]), next == "irequires", line_);
        return true;
      }
      if (next == ":") {
        at_ += 2;
        if (!graph.add_label(std::string(label)))
          return add(mismatch(fmt::format("the label {} twice", label), "each label only once in a rank"));
      }
    }
    ScheduledOperation operation;
    operation.line = line_;
    const bool is_right = take("calc") ? read_work(operation) : read_message(operation);
    graph.add(operation); // also a wrong one, so that its label is known
    return is_right;
  }

  bool read_work(ScheduledOperation& operation) {
    const auto time = take_number(0);
    if (!time)
      return expected("a time in ns");
    operation.time = {1e-9 * static_cast<double>(*time)};
    return read_rest(operation);
  }

  bool read_message(ScheduledOperation& operation) {
    const bool is_send = take("send");
    if (!is_send && !take("recv"))
      return expected("calc, send, recv or a label");
    operation.kind = is_send ? ScheduledOperation::Kind::send : ScheduledOperation::Kind::receive;
    const auto size = take_number(0);
    if (!size)
      return expected("a size such as 10b");
    if (static_cast<std::uint64_t>(*size) > largest_size.count)
      return add(mismatch(fmt::format("{} B", *size), bytes_range));
    if (!take("b"))
      return expected("a size such as 10b");
    operation.size = {static_cast<std::uint64_t>(*size)};
    if (!take(is_send ? "to" : "from"))
      return expected(is_send ? "to" : "from");
    const auto peer = take_number();
    if (!peer)
      return expected("a rank");
    const bool is_any = !is_send && *peer == -1;
    if (!is_any && (*peer < 0 || *peer >= ranks_))
      return add(mismatch(fmt::format("rank {}", *peer), fmt::format("a rank from 0 to {}", ranks_ - 1)));
    if (!is_any)
      operation.peer = static_cast<int>(*peer);
    operation.tag = 0;
    return read_rest(operation);
  }

  // tag, cpu and nic, in any order.
  bool read_rest(ScheduledOperation& operation) {
    while (at_ < tokens_.size()) {
      const bool is_tag = operation.kind != ScheduledOperation::Kind::work && take("tag");
      const bool is_cpu = !is_tag && take("cpu");
      if (!is_tag && !is_cpu && !take("nic"))
        return tokens_[at_] == "}" || expected("tag, cpu or nic");
      const bool may_be_any = is_tag && operation.kind == ScheduledOperation::Kind::receive;
      const auto number = take_number(may_be_any ? -1 : 0);
      if (!number)
        return expected("a number");
      if (*number > std::numeric_limits<int>::max())
        return add(mismatch(fmt::format("number {}", *number), "a smaller number"));
      const bool is_any = number == -1;
      if (is_cpu)
        operation.cpu = static_cast<int>(*number);
      if (is_tag)
        operation.tag = is_any ? std::nullopt : std::optional(static_cast<int>(*number));
    }
    return true;
  }

  std::string file_;
  int ranks_;
  std::vector<GoalGraph> graphs_;
  Errors errors_;
  std::uint64_t line_ = 0;
  std::vector<std::string_view> tokens_;
  std::size_t at_ = 0;
  int rank_ = -1; // whose schedule it is
};

} // namespace

Result<Schedule> parse_goal(const std::string& text, const std::string& file, int ranks) {
  GoalParser parser(file, ranks);
  const auto plain = without_comments(text);
  for (std::size_t begin = 0; begin < plain.size();) {
    const auto end = std::min(plain.find('\n', begin), plain.size());
    parser.read_line(std::string_view(plain).substr(begin, end - begin));
    begin = end + 1;
  }
  return parser.finish();
}

Result<Schedule> read_goal(const std::string& file, int ranks) {
  const auto text = read_text(file, largest_file);
  if (!text)
    return text.errors();
  if (!is_binary_goal(*text) && text->substr(0, 4096).find('\0') != std::string::npos)
    return file_error(ErrorKind::input, file, "neither text nor a binary schedule, which begins with the number 4223");
  return is_binary_goal(*text) ? parse_binary_goal(*text, file, ranks) : parse_goal(*text, file, ranks);
}

} // namespace kakehashi
