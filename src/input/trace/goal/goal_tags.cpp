#include "input/trace/goal/goal_tags.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace kakehashi {

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
