// Open MPI's file of dynamic rules: numbers, with remarks from # to the end of a line. First comes the number of
// operations with rules. For each operation follow its number and its count of communicator sizes; for each of these
// the size and its count of message sizes; for each of these the size, the algorithm's number, its fan-out, and the
// size of segments. A rule holds from its size on; the first one holds below its size, too.
#include "input/platform/mpi_reader.hpp"

#include "base/number.hpp"
#include "base/text.hpp"
#include "workload/collective/libraries.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace kakehashi {
namespace {

using enum Collective;

// The operations in Open MPI's order. Those without a value are not modelled.
constexpr std::optional<Collective> operations[] = {
    allgather, allgatherv,     allreduce, alltoall, alltoallv, {},       barrier, bcast, exscan, gather, gatherv,
    reduce,    reduce_scatter, {},        scan,     scatter,   scatterv, {},      {},    {},     {},     {}};

class RulesText {
public:
  RulesText(const std::string& text, const std::string& file) : text_(text), file_(file) {}

  bool has_failed() const { return !errors_.empty(); }
  Errors take() { return std::move(errors_); }
  void fail(const std::string& found, const std::string& expected) {
    if (errors_.empty()) // after the first fault the rest has no meaning
      errors_.push_back(input_error(file_, fmt::format("line {}", line_), mismatch(found, expected)));
  }

  std::string place() const { return fmt::format("line {}", line_); }
  void note(std::string what) { notes_.push_back({place(), std::move(what)}); }
  std::vector<RuleNote> take_notes() { return std::move(notes_); }

  // Reads the version at the beginning; without one it is 1.
  std::uint64_t version() {
    constexpr std::string_view word = "rule-file-version-";
    if (!std::string_view(text_).starts_with(word))
      return 1;
    at_ = word.size();
    return next("the version of the form", 2);
  }

  // Whether another number follows in this line.
  bool has_more_in_line() const {
    const auto at = text_.find_first_not_of(" \t", at_);
    return at != std::string::npos && is_digit(text_[at]);
  }

  // Reads the next number; 0, with a fault, if there is none from 0 to `most`.
  std::uint64_t next(std::string_view what, std::uint64_t most) {
    if (has_failed())
      return 0;
    skip();
    const auto end = std::min(text_.find_first_of(" \t\r\n#", at_), text_.size());
    const auto word = text_.substr(at_, end - at_);
    at_ = end;
    const auto number = number_in<std::uint64_t>(word);
    if (!number || *number > most)
      fail(word.empty() ? "the end of the file" : in_quotes(word), fmt::format("{}, from 0 to {}", what, most));
    return has_failed() ? 0 : *number;
  }

  void expect_end() {
    skip();
    if (!has_failed() && at_ < text_.size())
      fail("more", "the end of the file, since all operations that it announced have been read");
  }

private:
  void skip() {
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == '#')
        at_ = std::min(text_.find('\n', at_), text_.size());
      if (at_ == text_.size() || std::string_view(" \t\r\n").find(text_[at_]) == std::string_view::npos)
        return;
      line_ += text_[at_] == '\n';
    }
  }

  const std::string& text_;
  std::string file_;
  Errors errors_;
  std::vector<RuleNote> notes_;
  std::size_t at_ = 0;
  int line_ = 1;
};

constexpr std::uint64_t most_rules = 100000;
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 62;

// Reads the algorithm of one rule. For an operation that is not modelled, any number is allowed.
void read_choice(RulesText& text, std::optional<Collective> collective, std::uint64_t version, Decision& row) {
  std::uint64_t last = 0;
  std::string names = "0 the table's";
  while (collective) {
    const auto algorithm = open_mpi_algorithm(*collective, static_cast<int>(last) + 1);
    if (!algorithm)
      break;
    names += fmt::format(", {} {}", ++last, algorithm->algorithm);
  }
  const auto number = text.next("the number of an algorithm", most_rules);
  if (collective && number > last)
    text.fail(std::to_string(number), fmt::format("an algorithm of {}: {}", row_of(*collective).name, names));
  const auto fan = text.next("a fan-out", most_rules);
  const auto segment = text.next("the size of segments", most_bytes);
  if (version > 1 && !text.has_failed() && text.has_more_in_line())
    text.next("the most requests at a time", most_rules);
  if (!collective || number == 0 || text.has_failed())
    return;
  const auto algorithm = *open_mpi_algorithm(*collective, static_cast<int>(number));
  if (const auto since = algorithm.since; !since.empty())
    text.note(fmt::format("algorithm {} of {} ({}) came with Open MPI {}; calls fail in releases before it", number,
                          row_of(*collective).name, algorithm.algorithm, since));
  row.algorithm = algorithm.algorithm;
  const auto& known = algorithm_table()[index_of_algorithm(*collective, row.algorithm)];
  if (known.traits.takes_segment)
    row.segment = {segment};
  else if (segment > 0)
    text.note(fmt::format("{} takes no segments, so {} changes nothing", known.name, segment));
  if (fan > 0 && (known.name != "chain" || algorithm.width > 0))
    text.note(fmt::format("{} takes no fan-out, so {} changes nothing", known.name, fan));
  row.width = algorithm.width;
  if (known.name == "chain" && algorithm.width == 0)
    row.width = static_cast<int>(fan);
}

// Reads the rules for one size of communicators, by ascending message size.
std::vector<Decision> read_sizes(RulesText& text, std::optional<Collective> collective, std::uint64_t version,
                                 int ranks_from) {
  std::vector<Decision> rows;
  const auto count = text.next("how many sizes of messages have rules", most_rules);
  for (std::uint64_t i = 0; i < count && !text.has_failed(); ++i) {
    Decision row;
    row.ranks_from = ranks_from;
    if (collective) {
      row.collective = *collective;
      row.measure = open_mpi_measure(*collective);
    }
    row.bytes_from = text.next("the size of a message", most_bytes);
    if (rows.empty() && row.bytes_from > 0)
      text.fail(std::to_string(row.bytes_from), "0, the size from which the first rule holds");
    else if (!rows.empty() && row.bytes_from <= rows.back().bytes_from)
      text.fail(std::to_string(row.bytes_from), fmt::format("more than the size before, {}", rows.back().bytes_from));
    read_choice(text, collective, version, row);
    if (!rows.empty())
      rows.back().bytes_below = row.bytes_from;
    rows.push_back(row);
  }
  if (!rows.empty() && (collective == alltoallv || collective == barrier)) {
    if (rows.size() > 1)
      text.note(fmt::format("only the first rule of {} counts, for Open MPI knows no size there; {} never {}",
                            row_of(*collective).name, counted(rows.size() - 1, "other one"),
                            rows.size() == 2 ? "matches" : "match"));
    rows.resize(1);
    rows.front().bytes_below = Decision{}.bytes_below;
  }
  return rows;
}

} // namespace

// For Alltoallv and Barrier, Open MPI looks at the first rule only.
Measure open_mpi_measure(Collective collective) {
  switch (collective) {
  case allgather:
  case alltoall:
  case gather:
  case scatter:
  case reduce_scatter: return Measure::all_blocks;
  case allgatherv: return Measure::block;
  default: return Measure::usual;
  }
}

Result<CollectiveRules> parse_open_mpi_rules(const std::string& whole, const std::string& file) {
  RulesText text(whole, file);
  CollectiveRules rules{file, {}, {}, {}};
  const auto version = text.version();
  if (version > 1)
    text.note("releases before 5.0.7 know no version, and drop the whole file");
  const auto count = text.next("how many operations have rules", std::size(operations));
  std::vector<std::pair<std::uint64_t, std::vector<Decision>>> all; // one list an operation
  for (std::uint64_t i = 0; i < count && !text.has_failed(); ++i) {
    const auto id = text.next("the number of an operation", std::size(operations) - 1);
    const auto collective = operations[id];
    const auto twice = std::ranges::find(all, id, &std::pair<std::uint64_t, std::vector<Decision>>::first);
    if (twice != all.end() && !text.has_failed()) { // the last entry counts
      text.note(fmt::format("operation {} is there before; those rules never match", id));
      all.erase(twice);
    }
    if (!collective && !text.has_failed())
      text.note(fmt::format("operation {} is not modelled here; its rules are passed over", id));
    else if (collective == scan || collective == exscan)
      text.note(fmt::format("for {} Open MPI goes by the number of ranks, not by a size", row_of(*collective).name));
    auto& found = all.emplace_back(id, std::vector<Decision>()).second;
    const auto sizes = text.next("how many sizes of communicators have rules", most_rules);
    if (sizes > 1)
      text.note("Open MPI 6 takes these sizes of communicators otherwise: rules hold from the size before theirs on, "
                "up to theirs less one");
    std::vector<Decision> before; // the decisions for the previous size
    int ranks_before = -1;
    for (std::uint64_t k = 0; k < sizes && !text.has_failed(); ++k) {
      const auto ranks = static_cast<int>(text.next("the size of a communicator", 1U << 30));
      if (ranks <= ranks_before)
        text.fail(std::to_string(ranks), fmt::format("more ranks than before, {}", ranks_before));
      if (k == 0 && ranks > 2 && !text.has_failed())
        text.note(fmt::format("the first size, {} ranks, holds for smaller communicators, too", ranks));
      ranks_before = ranks;
      auto rows = read_sizes(text, collective, version, k == 0 ? 0 : ranks);
      if (!collective)
        continue;
      for (auto& row : before)
        row.ranks_below = ranks;
      found.insert(found.end(), before.begin(), before.end());
      before = std::move(rows);
    }
    found.insert(found.end(), before.begin(), before.end());
  }
  for (const auto& [id, rows] : all)
    rules.rows.insert(rules.rows.end(), rows.begin(), rows.end());
  text.expect_end();
  if (text.has_failed())
    return text.take();
  rules.notes = text.take_notes();
  return rules;
}

} // namespace kakehashi
