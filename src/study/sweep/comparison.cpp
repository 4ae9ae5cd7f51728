#include "study/sweep/algorithm_contest.hpp"

#include "study/explain/explanations.hpp"
#include "study/pool/pool.hpp"
#include "study/run/scenario_run.hpp"
#include "workload/benchmark/kind.hpp"
#include "workload/workload.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace kakehashi {
namespace {

Scenario with_size(Scenario scenario, std::uint64_t size) {
  scenario.workload = with_sizes(std::move(scenario.workload), {size});
  return scenario;
}

// The share of a collective operation's time that the order of simultaneous events may change, with any engine.
constexpr double effect_of_order = 0.02;

ComparedTime time_of(const ReasonedRun& done, const Workload& workload) {
  const auto* benchmark = std::get_if<Benchmark>(&workload);
  const auto& figures = done.record.table.figures.front();
  return {figures.t_max, figures.rate, done.reason.what, done.reason.share,
          benchmark && kind_of(*benchmark).collective ? effect_of_order : done.record.tolerance.value_or(0)};
}

// A run in a child process: time, rate, and reason.
Task<ComparedTime> run_task(const Contender& contender, std::uint64_t size) {
  return [&contender, size]() -> Result<ComparedTime> {
    const auto done = run_with_reason(with_size(contender.scenario, size));
    if (!done)
      return done.errors();
    return time_of(*done, contender.scenario.workload);
  };
}

ComparisonRow judge(std::uint64_t size, std::vector<ComparedTime> times) {
  ComparisonRow row{size, std::move(times)};
  const auto faster = [](const ComparedTime& a, const ComparedTime& b) { return a.time < b.time; };
  row.winner =
      static_cast<std::size_t>(std::min_element(row.times.begin(), row.times.end(), faster) - row.times.begin());
  std::optional<Seconds> next;
  for (std::size_t i = 0; i < row.times.size(); ++i)
    if (i != row.winner && (!next || row.times[i].time < *next))
      next = row.times[i].time;
  const auto best = row.times[row.winner].time;
  if (next && best.value > 0)
    row.margin = *next / best - 1;
  row.tolerance = std::ranges::max(row.times, {}, &ComparedTime::tolerance).tolerance;
  return row;
}

bool is_beaten(std::size_t contender, const ComparisonRow& row) {
  const auto best = as_fast(row);
  return std::ranges::find(best, contender) == best.end();
}

// Returns, of the contenders that are equally fast at the first size, the one that stays so for most sizes.
std::size_t first_holder(const std::vector<ComparisonRow>& rows) {
  const auto sizes_held = [&](std::size_t contender) {
    return std::ranges::find_if(rows, [&](const auto& row) { return is_beaten(contender, row); }) - rows.begin();
  };
  const auto best = as_fast(rows.front());
  const auto longest = std::ranges::max(best, {}, sizes_held);
  return sizes_held(longest) > sizes_held(rows.front().winner) ? longest : rows.front().winner;
}

class Comparer {
public:
  Comparer(const std::vector<Contender>& contenders, int jobs, const StudyProgress& progress)
      : contenders_(contenders), jobs_(jobs), progress_(progress) {}

  Result<std::vector<ComparisonRow>> rows(const std::vector<std::uint64_t>& sizes) {
    std::vector<Task<ComparedTime>> tasks;
    for (const auto size : sizes)
      for (const auto& contender : contenders_)
        tasks.push_back(run_task(contender, size));
    all_ += tasks.size();
    const auto results = try_all(tasks, jobs_, [&](std::size_t done, std::size_t) { progress_(done_ + done, all_); });
    done_ = all_;
    if (!results)
      return results.errors();
    std::vector<ComparisonRow> rows;
    const auto count = static_cast<std::ptrdiff_t>(contenders_.size());
    for (auto first = results->begin(); first != results->end(); first += count)
      rows.push_back(judge(sizes[rows.size()], {first, first + count}));
    return rows;
  }

  // Returns where contenders other than the holder begin to win between two rows.
  Result<std::vector<Crossover>> crossovers(const ComparisonRow& low, const ComparisonRow& high, std::size_t holder,
                                            std::uint64_t multiple) {
    constexpr std::uint64_t cuts = 8;
    std::vector<Crossover> found;
    if (!is_beaten(holder, high))
      return found;
    std::vector<std::uint64_t> between;
    for (std::uint64_t i = 1; i < cuts; ++i) {
      const auto at = low.size + (high.size - low.size) / cuts * i + (high.size - low.size) % cuts * i / cuts;
      const auto rounded = (at + multiple - 1) / multiple * multiple;
      if (rounded > low.size && rounded < high.size && (between.empty() || rounded > between.back()))
        between.push_back(rounded);
    }
    if (between.empty())
      return std::vector<Crossover>{{high.size, holder, high.winner}};
    const auto inner = rows(between);
    if (!inner)
      return inner.errors();
    const auto* before = &low;
    for (std::size_t i = 0; i <= inner->size(); ++i) {
      const auto* after = i < inner->size() ? &(*inner)[i] : &high;
      const auto more = crossovers(*before, *after, holder, multiple);
      if (!more)
        return more.errors();
      found.insert(found.end(), more->begin(), more->end());
      before = after;
      holder = is_beaten(holder, *after) ? after->winner : holder;
    }
    return found;
  }

private:
  const std::vector<Contender>& contenders_;
  int jobs_;
  const StudyProgress& progress_;
  std::size_t done_ = 0;
  std::size_t all_ = 0;
};

// Returns the smallest size that all alignments of the contenders' fabrics divide.
std::uint64_t common_multiple(const std::vector<Contender>& contenders) {
  std::uint64_t multiple = 1;
  for (const auto& contender : contenders) {
    const auto& platform = *contender.scenario.platform;
    for (const auto* fabric : parts_of(platform, *find_fabric(platform, contender.scenario.fabric)))
      for (const auto& rule : fabric->rules)
        for (const auto& regime : rule.regimes)
          if (regime.alignment)
            multiple = std::lcm(multiple, regime.alignment->multiple.count);
  }
  return multiple;
}

} // namespace

Result<Comparison> compare(const std::vector<Contender>& contenders, int jobs, const StudyProgress& progress,
                           Crossovers crossovers) {
  assert(!contenders.empty());
  const auto& first = contenders.front().scenario;
  Comparison comparison;
  comparison.scenario = first.name;
  for (const auto& contender : contenders) {
    comparison.contenders.push_back(contender.name);
    const auto& platform = *contender.scenario.platform;
    const auto& fabric = *find_fabric(platform, contender.scenario.fabric);
    comparison.places.push_back({platform.name, fabric.name, is_hypothetical(platform, fabric)});
  }
  comparison.size_name = size_name(first.workload);
  comparison.rate_name = rate_name(first.workload);
  if (comparison.size_name == "bytes" &&
      crossovers == Crossovers::sought) // fabrics may be slower at sizes that are not aligned
    comparison.multiple = common_multiple(contenders);
  Comparer comparer(contenders, jobs, progress);
  auto rows = comparer.rows(sizes_of(first.workload));
  if (!rows)
    return rows.errors();
  comparison.rows = std::move(*rows);
  for (auto& row : comparison.rows)
    for (auto& time : row.times)
      time.rate = printed_rate(first.workload, time.rate);
  const auto has_rate = [](const ComparedTime& time) { return time.rate > 0; };
  if (std::ranges::none_of(comparison.rows, [&](const auto& row) { return std::ranges::any_of(row.times, has_rate); }))
    comparison.rate_name.clear();
  auto holder = comparison.first = first_holder(comparison.rows);
  for (std::size_t i = 0; i + 1 < comparison.rows.size(); ++i) {
    const auto& [low, high] = std::tie(comparison.rows[i], comparison.rows[i + 1]);
    if (!is_beaten(holder, high))
      continue;
    const auto found = crossovers == Crossovers::sought ? comparer.crossovers(low, high, holder, comparison.multiple)
                                                        : std::vector<Crossover>{{high.size, holder, high.winner}};
    if (!found)
      return found.errors();
    comparison.crossovers.insert(comparison.crossovers.end(), found->begin(), found->end());
    holder = high.winner;
  }
  return comparison;
}

} // namespace kakehashi
