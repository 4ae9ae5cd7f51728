#include "study/run/run_parts.hpp"

#include "workload/dry_run.hpp"
#include "workload/workload.hpp"

#include <algorithm>
#include <cmath>

namespace kakehashi {
namespace {

// In exchanges of 1024 to 6144 ranks on fat trees and tori (docs/evidence/scale.md), noise makes the first rounds
// take 1.04 to 1.75 times as long where it matters; elsewhere their time changes by at most a hundredth.
constexpr double bound = 0.03;
constexpr std::size_t many_ranks = 256;  // with up to so many messages at once the engine is exact
constexpr std::size_t most_ranks = 8192; // with more, the beginning takes longer than a few seconds
constexpr int few_iterations = 3;        // they give the mean to about two hundredths
constexpr double most_messages = 5e6;    // in these iterations and their warm-up

// The beginning of a row that is compared.
struct Beginning {
  std::size_t messages = 0; // 0: nothing is compared
  int iterations = 0;       // with noise, after the warm-up; 0: they take too long
};

int repetitions_of(const RowSetup& row) {
  return row.benchmark.repetitions.value_or(kind_of(row.benchmark).repetitions(row.benchmark.sizes.front()));
}

Beginning beginning_of(const RowSetup& row) {
  const auto& options = row.options;
  if (options.kind != EngineKind::fluid || options.noise || options.seed != 0 || row.plan.is_ideal ||
      row.plan.ranks <= many_ranks || row.plan.ranks > most_ranks || !kind_of(row.benchmark).collective)
    return {};
  auto one = row.benchmark;
  one.repetitions = 1;
  one.warm_up = 0;
  const auto ranks = static_cast<int>(row.plan.ranks);
  if (count_partners(job_of(one, row.place), ranks) < checked_rounds)
    return {};
  const auto first = checked_rounds * row.plan.ranks;
  const double messages = std::max(static_cast<double>(first), count_sends(job_of(one, row.place), ranks, false));
  const double affordable = std::floor(most_messages / messages) - row.benchmark.warm_up;
  return {first, static_cast<int>(std::clamp(affordable, 0.0, std::min<double>(few_iterations, repetitions_of(row))))};
}

bool agrees(double times_as_long) {
  return std::abs(times_as_long - 1) <= bound;
}

// With noise no run is exact, so the usual tolerance suffices, and all runs print the same.
Result<JobRun> run_with_noise(const Job& job, const RowSetup& row, const RunWatch& watch) {
  EngineOptions options{row.options.kind};
  options.noise = little_noise;
  return run(job, nullptr, row.plan, options, nullptr, &watch);
}

struct Check {
  Beginning beginning;
  Seconds with_noise; // time of the beginning with noise
  OutOfStep found;
};

RunWatch only_asks(const RunWatch* watch) {
  return watch ? RunWatch{watch->goes_on} : RunWatch{};
}

// Runs the beginning with noise, if there is anything to compare.
Result<Check> begin_check(const RowSetup& row, const RunWatch* watch) {
  Check check{beginning_of(row), {}, {row.benchmark.sizes.front(), little_noise}};
  check.found.with_noise = check.beginning.iterations > 0;
  if (check.beginning.messages == 0)
    return check;
  bool has_reached = false;
  RunWatch inner;
  if (watch && watch->goes_on)
    inner.goes_on = [watch](const JobProgress&, std::size_t) { return watch->goes_on({}, 0); }; // no row is done yet
  inner.messages = check.beginning.messages;
  inner.reaches = [&](Seconds now) {
    check.with_noise = now;
    has_reached = true;
    return false;
  };
  const auto done = run_with_noise(job_of(row.benchmark, row.place), row, inner);
  return has_reached ? Result(check) : done.errors();
}

// Watches a run without noise. `ends` decides whether the run ends once it is known how much longer it takes with
// noise.
RunWatch comparing(Check& check, const RunWatch* watch, const std::function<bool(const OutOfStep&)>& ends) {
  auto inner = only_asks(watch);
  inner.messages = check.beginning.messages;
  inner.reaches = [&check, ends](Seconds now) {
    check.found.times_as_long = check.with_noise / now;
    return !ends(check.found);
  };
  return inner;
}

Job in_step(const RowSetup& row) {
  auto job = job_of(row.benchmark, row.place);
  return row.shift ? job.alike->first(row.shift->ranks) : job;
}

Result<RowDone> some_with_noise(const RowSetup& row, int iterations, OutOfStep found, const RunWatch& watch) {
  auto few = row.benchmark;
  few.repetitions = iterations;
  const auto job = job_of(few, row.place);
  auto done = run_with_noise(job, row, watch);
  if (!done)
    return done.errors();
  auto timing = job.apart->timing();
  found.iterations = timing.simulated;
  timing.repetitions = repetitions_of(row);
  return RowDone{std::move(*done), std::move(timing), found};
}

} // namespace

double most_noise(const EngineOptions& options, std::size_t ranks) {
  return options.noise.value_or(ranks > many_ranks ? little_noise : 0);
}

Result<RowDone> run_row(const RowSetup& row, const RunWatch* watch) {
  auto check = begin_check(row, watch);
  if (!check)
    return check.errors();
  const auto is_to_have_noise = [](const OutOfStep& found) { return found.with_noise && !agrees(found.times_as_long); };
  const auto& found = check->found;
  const auto inner = comparing(*check, watch, is_to_have_noise);
  const auto job = in_step(row);
  auto done = run(job, row.shift, row.plan, row.options, nullptr, &inner);
  if (is_to_have_noise(found))
    return some_with_noise(row, check->beginning.iterations, found, only_asks(watch));
  if (!done)
    return done.errors();
  return RowDone{std::move(*done), job.apart->timing(),
                 agrees(found.times_as_long) ? std::nullopt : std::optional(found)};
}

Result<std::optional<OutOfStep>> check_row(const RowSetup& row, const RunWatch* watch) {
  auto check = begin_check(row, watch);
  if (!check)
    return check.errors();
  if (check->beginning.messages == 0)
    return std::optional<OutOfStep>();
  bool is_known = false;
  const auto inner = comparing(*check, watch, [&is_known](const OutOfStep&) { return is_known = true; });
  const auto done = run(in_step(row), row.shift, row.plan, row.options, nullptr, &inner);
  if (!is_known)
    return done.errors();
  return agrees(check->found.times_as_long) ? std::nullopt : std::optional(check->found);
}

} // namespace kakehashi
