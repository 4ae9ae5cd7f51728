#include "study/run/scenario_run.hpp"

#include "study/pool/pool.hpp"

#include <algorithm>
#include <cassert>

namespace kakehashi {
namespace {

std::vector<Seconds> times_of(const RunRecord& record) {
  std::vector<Seconds> times;
  for (const auto& figures : record.table.figures)
    times.push_back(figures.t_avg);
  return times;
}

Spread spread_of(std::vector<Seconds> times) {
  std::sort(times.begin(), times.end());
  const auto middle = times.size() / 2;
  const auto median = times.size() % 2 == 1 ? times[middle] : 0.5 * (times[middle - 1] + times[middle]);
  return {median, times.front(), times.back()};
}

} // namespace

Result<Repeats> repeat(const Scenario& scenario, const RunPlan& plan, int runs, int jobs,
                       const StudyProgress& progress) {
  assert(runs > 0);
  std::vector<Task<std::vector<Seconds>>> tasks;
  for (int i = 0; i < runs; ++i)
    tasks.push_back([&scenario, shuffled = plan, i]() mutable -> Result<std::vector<Seconds>> {
      auto& options = shuffled.options;
      options = {options.kind, options.tolerance, static_cast<std::uint32_t>(i), false, options.noise.value_or(0)};
      const auto record = run(scenario, shuffled);
      return record ? Result(times_of(*record)) : record.errors();
    });
  const auto results = try_all(tasks, jobs, progress);
  if (!results)
    return results.errors();
  Repeats repeats{runs, {}};
  for (std::size_t row = 0; row < results->front().size(); ++row) {
    std::vector<Seconds> times;
    for (const auto& result : *results)
      times.push_back(result[row]);
    repeats.spreads.push_back(spread_of(std::move(times)));
  }
  return repeats;
}

} // namespace kakehashi
