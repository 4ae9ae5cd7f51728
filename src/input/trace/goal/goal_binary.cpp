#include "input/trace/goal/goal_reader.hpp"

#include "input/trace/goal/goal_operation.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <fmt/format.h>
#include <limits>

namespace kakehashi {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::uint64_t valid = 4223;
constexpr std::uint64_t used_up = 2342; // a number used up by a run with --save-mem, which counts down in the file
constexpr std::size_t before_ranks = sizeof(std::uint64_t);
constexpr std::size_t before_table = before_ranks + sizeof(std::uint32_t) + 2;
constexpr std::array operation_sizes{std::size_t{39}, std::size_t{56}, std::size_t{104}};
constexpr auto any = std::numeric_limits<std::uint32_t>::max();

struct BinaryKind {
  unsigned char number;
  ScheduledOperation::Kind kind;
  bool has_terms = false;
  bool is_triggered = false;
};
constexpr std::array kinds{BinaryKind{1, ScheduledOperation::Kind::send},
                           BinaryKind{2, ScheduledOperation::Kind::receive},
                           BinaryKind{3, ScheduledOperation::Kind::work},
                           BinaryKind{4, ScheduledOperation::Kind::put, true},
                           BinaryKind{6, ScheduledOperation::Kind::append, true},
                           BinaryKind{7, ScheduledOperation::Kind::test, true, true},
                           BinaryKind{8, ScheduledOperation::Kind::put, true, true},
                           BinaryKind{10, ScheduledOperation::Kind::append, true, true}};

// Reads a number; the place must be inside the bytes.
template <class Number> Number number_at(std::string_view bytes, std::size_t place) {
  Number number{};
  std::memcpy(&number, bytes.data() + place, sizeof(number));
  return number;
}
std::uint32_t word_at(std::string_view bytes, std::size_t place) {
  return number_at<std::uint32_t>(bytes, place);
}

// The part of the file for one rank.
struct Part {
  std::string_view bytes;
  std::size_t operations = 0;
  std::size_t begin = 0; // where the operations begin
};

std::string_view operation_of(const Part& part, std::size_t size, std::size_t index) {
  return part.bytes.substr(part.begin + index * size, size);
}

// Whether the part's length fits operations of this size exactly.
bool has_operations_of(const Part& part, std::size_t size) {
  const auto room = part.bytes.size() - part.begin;
  if (part.operations > room / size)
    return false;
  std::uint64_t indices = 0;
  for (std::size_t i = 0; i < part.operations; ++i) {
    const auto operation = operation_of(part, size, i);
    indices += std::uint64_t{word_at(operation, 23)} + word_at(operation, 31);
  }
  return room - part.operations * size == indices * sizeof(std::uint32_t);
}

class BinaryGoal {
public:
  BinaryGoal(std::string_view bytes, const std::string& file, int ranks) : bytes_(bytes), file_(file), ranks_(ranks) {}

  Result<Schedule> read() {
    if (number_at<std::uint64_t>(bytes_, 0) == used_up)
      return fault("a binary schedule that a run of LogGOPSim with --save-mem has used up");
    if (bytes_.size() < before_table)
      return fault("a binary schedule that ends before its number of ranks");
    const auto count = word_at(bytes_, before_ranks);
    if (count != static_cast<std::uint32_t>(ranks_))
      return fault(mismatch(counted(count, "rank"), fmt::format("{}, as in the scenario", ranks_)));
    if ((bytes_.size() - before_table) / (2 * sizeof(std::uint64_t)) < count)
      return fault("a binary schedule that ends before the part of its first rank");
    for (int rank = 0; rank < ranks_; ++rank)
      if (!add_part(rank))
        return errors_;
    if (!find_size())
      return errors_;
    Schedule schedule{file_, {}, "operation"};
    for (int rank = 0; rank < ranks_ && errors_.size() < most_told; ++rank)
      schedule.ranks.push_back(read_rank(rank));
    return errors_.empty() ? with_counted_messages(std::move(schedule)) : errors_;
  }

private:
  static constexpr std::size_t most_told = 20;

  Error fault(std::string message) const { return input_error(file_, "", std::move(message)); }
  bool add(int rank, std::string message) {
    errors_.push_back(input_error(file_, fmt::format("rank {}", rank), std::move(message)));
    return false;
  }
  void add(int rank, std::size_t operation, std::string message) {
    if (errors_.size() < most_told)
      errors_.push_back(
          input_error(file_, fmt::format("rank {}, operation {}", rank, operation + 1), std::move(message)));
  }

  bool add_part(int rank) {
    const auto entry = before_table + 2 * sizeof(std::uint64_t) * static_cast<std::size_t>(rank);
    const auto begin = number_at<std::uint64_t>(bytes_, entry);
    const auto end = number_at<std::uint64_t>(bytes_, entry + sizeof(std::uint64_t));
    const auto room = bytes_.size() - before_ranks;
    if (begin < last_end_ || begin > end || end > room)
      return add(rank, fmt::format("got a part from byte {} to {}, expected one between {} and {}", begin, end,
                                   last_end_, room));
    last_end_ = end;
    Part part{bytes_.substr(before_ranks + begin, end - begin)};
    constexpr auto head = 2 * sizeof(std::uint32_t);
    if (part.bytes.size() < head)
      return add(rank, fmt::format("got a part of {}, expected at least {}", counted(part.bytes.size(), "byte"), head));
    part.operations = word_at(part.bytes, 0);
    const auto roots = std::uint64_t{word_at(part.bytes, sizeof(std::uint32_t))} * sizeof(std::uint32_t);
    if (roots > part.bytes.size() - head)
      return add(rank, "more operations wait for nothing than its part has room for");
    part.begin = head + roots;
    parts_.push_back(part);
    return true;
  }

  bool find_size() {
    const auto fits = [this](std::size_t size) {
      return std::ranges::all_of(parts_, [size](const Part& part) { return has_operations_of(part, size); });
    };
    const auto found = std::ranges::find_if(operation_sizes, fits);
    if (found == operation_sizes.end()) {
      errors_.push_back(fault("the parts of its ranks are as long as in no form of LogGOPSim's or LogGOPSim2's"));
      return false;
    }
    size_ = *found;
    return true;
  }

  RankSchedule read_rank(int rank) {
    const auto& part = parts_[static_cast<std::size_t>(rank)];
    GoalGraph graph("operation");
    for (std::size_t i = 0; i < part.operations; ++i) {
      const auto bytes = operation_of(part, size_, i);
      graph.add(read_operation(bytes, rank, i));
      add_dependencies(graph, part, i, 23, false, rank);
      add_dependencies(graph, part, i, 31, true, rank);
    }
    if (errors_.empty())
      for (const auto& [operation, message] : graph.finish())
        add(rank, operation - 1, message);
    return graph.take();
  }

  GoalOperation read_operation(std::string_view bytes, int rank, std::size_t index) {
    GoalOperation found;
    auto& operation = found.operation;
    operation.line = index + 1;
    operation.cpu = static_cast<unsigned char>(bytes[21]);
    const auto size = number_at<std::uint64_t>(bytes, 9);
    const auto kind = static_cast<unsigned char>(bytes[4]);
    const auto row = std::ranges::find(kinds, kind, &BinaryKind::number);
    if (row == kinds.end() || (row->has_terms && bytes.size() == operation_sizes.front())) {
      add(rank, index,
          fmt::format("got an operation of kind {}, which is not modelled; expected a send, recv, calc, "
                      "put, append, tput, tappend or test",
                      kind));
      return found;
    }
    operation.kind = row->kind;
    if (row->has_terms)
      found.terms = terms_of(bytes, *row, rank, index);
    if (operation.kind == ScheduledOperation::Kind::work)
      operation.time = {1e-9 * static_cast<double>(size)};
    else if (operation.kind != ScheduledOperation::Kind::test)
      read_move(bytes, size, operation, rank, index);
    return found;
  }

  void read_move(std::string_view bytes, std::uint64_t size, ScheduledOperation& operation, int rank,
                 std::size_t index) {
    using enum ScheduledOperation::Kind;
    if (size > largest_size.count)
      add(rank, index, mismatch(fmt::format("{} B", size), bytes_range));
    operation.size = {size};
    const auto peer = word_at(bytes, 5);
    const bool may_be_any = operation.kind == receive || operation.kind == append;
    if (!may_be_any || peer != any) {
      if (peer >= static_cast<std::uint32_t>(ranks_))
        add(rank, index, mismatch(fmt::format("rank {}", peer), fmt::format("a rank from 0 to {}", ranks_ - 1)));
      operation.peer = static_cast<int>(peer);
    }
    const auto tag = word_at(bytes, 17);
    const bool may_have_none = operation.kind == receive || operation.kind == put; // see goal_operation.cpp
    if (!may_have_none || tag != any) {
      if (tag > static_cast<std::uint32_t>(std::numeric_limits<int>::max()))
        add(rank, index, mismatch(fmt::format("tag {}", tag), "a smaller number"));
      operation.tag = static_cast<int>(tag);
    }
  }

  // u8: 1 use_once, 2 of the overflow list; u32 trigger, u64 threshold, u32 counter, and perhaps three u32 handlers.
  CounterTerms terms_of(std::string_view bytes, const BinaryKind& row, int rank, std::size_t index) {
    constexpr int once = 1;
    constexpr int overflow = 2;
    CounterTerms terms;
    if (const auto counter = word_at(bytes, 52); counter != any)
      terms.counter = counter;
    if (row.is_triggered)
      terms.trigger = word_at(bytes, 40);
    terms.threshold = number_at<std::uint64_t>(bytes, 44);
    if (row.kind != ScheduledOperation::Kind::append)
      return terms;
    if ((bytes[39] & once) == 0)
      terms.messages = CounterTerms::all;
    if ((bytes[39] & overflow) != 0)
      add(rank, index, "got an append to the overflow list, which is not modelled");
    if (bytes.size() == operation_sizes.back())
      for (const std::size_t handler : {56, 60, 64})
        if (word_at(bytes, handler) != any) {
          add(rank, index, "got a handler, a program of the adapter, which is not modelled");
          break;
        }
    return terms;
  }

  // Adds the dependencies of operations that wait for this one's end or start. Their number is at `place`, followed by
  // the place of their indices.
  void add_dependencies(GoalGraph& graph, const Part& part, std::size_t index, std::size_t place, bool on_start,
                        int rank) {
    const auto operation = operation_of(part, size_, index);
    const auto indices = part.bytes.substr(part.begin + part.operations * size_);
    const auto count = std::uint64_t{word_at(operation, place)};
    const auto begin = std::uint64_t{word_at(operation, place + sizeof(std::uint32_t))};
    if (count > 0 && begin + count > indices.size() / sizeof(std::uint32_t))
      return add(rank, index, "what waits for it is listed behind the end of the rank's part");
    for (std::uint64_t i = begin; i < begin + count; ++i) {
      const auto after = word_at(indices, i * sizeof(std::uint32_t));
      if (after >= part.operations)
        return add(rank, index, fmt::format("operation {} waits for it, but there are {}", after + 1, part.operations));
      graph.add_dependency({static_cast<std::uint32_t>(index), after, on_start});
    }
  }

  std::string_view bytes_;
  std::string file_;
  int ranks_;
  std::vector<Part> parts_;
  std::uint64_t last_end_ = 0; // the end of the last part
  std::size_t size_ = 0;       // size of an operation
  Errors errors_;
};

} // namespace

bool is_binary_goal(std::string_view begin) {
  if (begin.size() < sizeof(std::uint64_t))
    return false;
  const auto first = number_at<std::uint64_t>(begin, 0);
  return first == valid || first == used_up;
}

Result<Schedule> parse_binary_goal(std::string_view bytes, const std::string& file, int ranks) {
  return BinaryGoal(bytes, file, ranks).read();
}

} // namespace kakehashi
