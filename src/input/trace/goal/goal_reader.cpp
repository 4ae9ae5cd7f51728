#include "input/trace/goal/goal_reader.hpp"

#include "base/file.hpp"
#include "input/trace/goal/goal_operation.hpp"

#include <fmt/format.h>
#include <limits>

namespace kakehashi {
namespace {

constexpr std::size_t largest_file = std::size_t{4} << 30;

// Removes the comments, // and /* */, but keeps all line ends.
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
      const auto end = std::min(text.find('/', at + 1), text.size());
      kept += text.substr(at, end - at);
      at = end;
    }
  }
  return kept;
}

class GoalParser {
public:
  GoalParser(const std::string& file, int ranks)
      : file_(file), ranks_(ranks), graphs_(static_cast<std::size_t>(ranks)) {}

  void read_line(std::string_view line) {
    ++line_number_;
    line_.begin(line);
    while (!line_.at_end() && errors_.size() < most_told)
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
    return errors_.empty() ? with_counted_messages(std::move(schedule)) : errors_;
  }

private:
  static constexpr std::size_t most_told = 20;

  Error error(std::string place, std::string message) const {
    return input_error(file_, std::move(place), std::move(message));
  }
  bool add(std::string message) {
    errors_.push_back(error(fmt::format("line {}", line_number_), std::move(message)));
    return false;
  }
  bool expected(std::string_view what) { return add(line_.expected(what)); }

  // Reads num_ranks N, rank N {, }, or a line of a schedule; false if it has a fault.
  bool read_statement() {
    if (line_.take("num_ranks"))
      return read_count();
    if (line_.take("rank"))
      return read_rank();
    if (line_.take("}")) {
      const bool is_open = rank_ >= 0;
      rank_ = -1;
      return is_open || add(mismatch("a closing bracket", "the schedule of a rank before it"));
    }
    if (rank_ < 0)
      return expected("num_ranks or rank");
    return read_operation();
  }

  bool read_count() {
    const auto count = line_.take_number();
    if (!count)
      return expected("a number of ranks");
    if (*count != ranks_)
      return add(mismatch(fmt::format("num_ranks {}", *count), fmt::format("{}, as in the scenario", ranks_)));
    return true;
  }

  bool read_rank() {
    const auto rank = line_.take_number();
    if (!rank)
      return expected("a rank");
    if (*rank < 0 || *rank >= ranks_)
      return add(mismatch(fmt::format("rank {}", *rank), fmt::format("a rank from 0 to {}", ranks_ - 1)));
    if (!line_.take("{"))
      return expected("\"{\"");
    rank_ = static_cast<int>(*rank);
    auto& graph = graphs_[static_cast<std::size_t>(rank_)];
    return graph.begin() ||
           add(mismatch(fmt::format("the schedule of rank {} twice", rank_), "one schedule for each rank"));
  }

  // Reads [LABEL:] OPERATION, or LABEL requires LABEL.
  bool read_operation() {
    auto& graph = graphs_[static_cast<std::size_t>(rank_)];
    const auto label = line_.peek();
    const auto next = line_.peek(1);
    if (line_.is_at_word() && (next == "requires" || next == "irequires")) {
      line_.skip(2);
      if (!line_.is_at_word())
        return expected("a label");
      graph.add_dependency(std::string(label), std::string(line_.take()), next == "irequires", line_number_);
      return true;
    }
    if (line_.is_at_word() && next == ":") {
      line_.skip(2);
      if (!graph.add_label(std::string(label)))
        return add(mismatch(fmt::format("the label {} twice", label), "each label only once in a rank"));
    }
    GoalOperation found;
    found.operation.line = line_number_;
    const auto fault = read_goal_operation(line_, ranks_, found);
    graph.add(found); // even if it has a fault, so that its label is known
    return fault.empty() || add(fault);
  }

  std::string file_;
  int ranks_;
  std::vector<GoalGraph> graphs_;
  Errors errors_;
  GoalLine line_;
  std::uint64_t line_number_ = 0;
  int rank_ = -1; // the rank whose schedule is being read
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
