// Open MPI's file of dynamic rules: numbers, with remarks from # to the end of a line. How many operations have rules;
// of each its number, and for how many sizes of communicators; of each size itself, and for how many sizes of messages;
// of each size itself, the algorithm's number, its fan-out, and the size of segments. A rule holds from its size on,
// and the first one also below it.
#include "input/platform/rules_reader.hpp"

#include "base/number.hpp"
#include "workload/collective/libraries.hpp"

#include <fmt/format.h>

namespace kakehashi {
namespace {

using enum Collective;

// In Open MPI's order; without a value: not modelled.
constexpr std::optional<Collective> operations[] = {
    allgather, allgatherv,     allreduce, alltoall, alltoallv, {},       barrier, bcast, exscan, gather, gatherv,
    reduce,    reduce_scatter, {},        scan,     scatter,   scatterv, {},      {},    {},     {},     {}};

// The size that Open MPI compares with a rule's. For an Alltoallv and a Barrier it looks at the first rule only.
Measure measure_of(Collective collective) {
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

class RulesText {
public:
  RulesText(const std::string& text, const std::string& file) : text_(text), file_(file) {}

  bool has_failed() const { return !errors_.empty(); }
  Errors take() { return std::move(errors_); }
  void fail(const std::string& found, const std::string& expected) {
    if (errors_.empty()) // the first one leaves the rest without meaning
      errors_.push_back(input_error(file_, fmt::format("line {}", line_), mismatch(found, expected)));
  }

  // The next number; 0, and a fault, if there is none from 0 to `most`.
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
  std::size_t at_ = 0;
  int line_ = 1;
};

constexpr std::uint64_t most_rules = 100000;
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 62;

// One rule's algorithm. Of an operation that is not modelled any number will do.
void read_choice(RulesText& text, std::optional<Collective> collective, Decision& row) {
  std::uint64_t last = 0;
  std::string names = "0 the table's";
  while (collective) {
    const auto algorithm = open_mpi_algorithm(*collective, static_cast<int>(last) + 1);
    if (!algorithm)
      break;
    names += fmt::format(", {} {}", ++last, algorithm->name);
  }
  const auto number = text.next("the number of an algorithm", most_rules);
  if (collective && number > last)
    text.fail(std::to_string(number), fmt::format("an algorithm of {}: {}", row_of(*collective).name, names));
  const auto fan = text.next("a fan-out", most_rules);
  const auto segment = text.next("the size of segments", most_bytes);
  if (!collective || number == 0 || text.has_failed())
    return;
  const auto algorithm = *open_mpi_algorithm(*collective, static_cast<int>(number));
  row.algorithm = algorithm.name;
  const auto& known = algorithm_table()[index_of_algorithm(*collective, row.algorithm)];
  if (known.traits.takes_segment)
    row.segment = {segment};
  row.width = algorithm.width;
  if (known.name == "chain" && algorithm.width == 0)
    row.width = static_cast<int>(fan);
}

// The rules of one size of communicators, in ascending order of messages.
std::vector<Decision> read_sizes(RulesText& text, std::optional<Collective> collective, int ranks_from) {
  std::vector<Decision> rows;
  const auto count = text.next("how many sizes of messages have rules", most_rules);
  for (std::uint64_t i = 0; i < count && !text.has_failed(); ++i) {
    Decision row;
    row.ranks_from = ranks_from;
    if (collective) {
      row.collective = *collective;
      row.measure = measure_of(*collective);
    }
    row.bytes_from = text.next("the size of a message", most_bytes);
    if (rows.empty() && row.bytes_from > 0)
      text.fail(std::to_string(row.bytes_from), "0, the size from which the first rule holds");
    else if (!rows.empty() && row.bytes_from <= rows.back().bytes_from)
      text.fail(std::to_string(row.bytes_from), fmt::format("more than the size before, {}", rows.back().bytes_from));
    read_choice(text, collective, row);
    if (!rows.empty())
      rows.back().bytes_below = row.bytes_from;
    rows.push_back(row);
  }
  if (!rows.empty() && (collective == alltoallv || collective == barrier)) {
    rows.resize(1);
    rows.front().bytes_below = Decision{}.bytes_below;
  }
  return rows;
}

} // namespace

Result<CollectiveRules> parse_open_mpi_rules(const std::string& whole, const std::string& file) {
  RulesText text(whole, file);
  CollectiveRules rules{file, {}, {}};
  const auto count = text.next("how many operations have rules", std::size(operations));
  for (std::uint64_t i = 0; i < count && !text.has_failed(); ++i) {
    const auto id = text.next("the number of an operation", std::size(operations) - 1);
    const auto collective = operations[id];
    const auto sizes = text.next("how many sizes of communicators have rules", most_rules);
    std::vector<Decision> before; // of the size before
    int ranks_before = -1;
    for (std::uint64_t k = 0; k < sizes && !text.has_failed(); ++k) {
      const auto ranks = static_cast<int>(text.next("the size of a communicator", 1U << 30));
      if (ranks <= ranks_before)
        text.fail(std::to_string(ranks), fmt::format("more ranks than before, {}", ranks_before));
      ranks_before = ranks;
      auto rows = read_sizes(text, collective, k == 0 ? 0 : ranks);
      if (!collective)
        continue;
      for (auto& row : before)
        row.ranks_below = ranks;
      rules.rows.insert(rules.rows.end(), before.begin(), before.end());
      before = std::move(rows);
    }
    rules.rows.insert(rules.rows.end(), before.begin(), before.end());
  }
  text.expect_end();
  if (text.has_failed())
    return text.take();
  return rules;
}

} // namespace kakehashi
