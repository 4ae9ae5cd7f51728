#include "input/trace/goal/goal_operation.hpp"

#include "input/trace/goal/goal_reader.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <tuple>

namespace kakehashi {
namespace {

using Kind = ScheduledOperation::Kind;
constexpr int any_rank = -1;

bool is_for_all(const RankSchedule& rank, const ScheduledOperation& operation) {
  return operation.kind == Kind::append && rank.terms[operation.terms].messages == CounterTerms::all;
}

// Counts puts or appends, by the rank in whose memory they are, the other rank, and the tag.
class Counts {
public:
  void add(int rank, int other, int tag) { ++counts_[{rank, tag, other}]; }
  std::uint64_t of(int rank, int other, int tag) const {
    const auto found = counts_.find({rank, tag, other});
    return found == counts_.end() ? 0 : found->second;
  }
  std::uint64_t of_all(int rank, int tag) const {
    std::uint64_t sum = 0;
    for (auto at = counts_.lower_bound({rank, tag, any_rank}); at != counts_.end(); ++at) {
      if (std::get<0>(at->first) != rank || std::get<1>(at->first) != tag)
        break;
      sum += at->second;
    }
    return sum;
  }

private:
  std::map<std::tuple<int, int, int>, std::uint64_t> counts_;
};

} // namespace

Result<Schedule> with_counted_messages(Schedule schedule) {
  const bool has_any = std::ranges::any_of(schedule.ranks, [](const RankSchedule& rank) {
    return std::ranges::any_of(rank.operations, [&](const auto& operation) { return is_for_all(rank, operation); });
  });
  if (!has_any)
    return schedule;
  Counts puts, appends;
  const int ranks = static_cast<int>(schedule.ranks.size());
  for (int rank = 0; rank < ranks; ++rank)
    for (const auto& operation : schedule.ranks[static_cast<std::size_t>(rank)].operations) {
      if (operation.kind == Kind::put && operation.tag)
        puts.add(*operation.peer, rank, *operation.tag);
      if (operation.kind == Kind::append)
        appends.add(rank, operation.peer.value_or(any_rank), *operation.tag);
    }
  Errors errors;
  for (int id = 0; id < ranks; ++id) {
    auto& rank = schedule.ranks[static_cast<std::size_t>(id)];
    for (const auto& operation : rank.operations) {
      if (!is_for_all(rank, operation))
        continue;
      const int tag = *operation.tag;
      const auto same = operation.peer ? appends.of(id, *operation.peer, tag) + appends.of(id, any_rank, tag)
                                       : appends.of_all(id, tag);
      if (same > 1 && errors.empty())
        errors.push_back(input_error(schedule.file, fmt::format("rank {}, {} {}", id, schedule.unit, operation.line),
                                     "an append without use_once for messages that another append of the rank takes, "
                                     "too; which of them takes which is not modelled"));
      rank.terms[operation.terms].messages = operation.peer ? puts.of(id, *operation.peer, tag) : puts.of_all(id, tag);
    }
  }
  return errors.empty() ? Result(std::move(schedule)) : errors;
}

std::vector<std::string> warnings_of_tags(const Schedule& schedule) {
  constexpr int first_of_schedgen = 1000000;
  using Kind = ScheduledOperation::Kind;
  const auto find = [&](auto holds) {
    for (const auto& rank : schedule.ranks)
      if (const auto found = std::ranges::find_if(rank.operations, holds); found != rank.operations.end())
        return found->line;
    return std::uint64_t{0};
  };
  const auto any = find([](const auto& each) { return each.kind == Kind::receive && !each.tag; });
  const auto collective =
      find([](const auto& each) { return each.kind == Kind::send && each.tag.value_or(0) >= first_of_schedgen; });
  if (any == 0 || collective == 0)
    return {};
  return {fmt::format("{}: receives of any tag ({} {}) may take messages of collective calls, to which schedgen gives "
                      "tags from {} on; with \"collective_tags\": {} they do not, as in MPI",
                      schedule.file, schedule.unit, any, first_of_schedgen, first_of_schedgen)};
}

} // namespace kakehashi
