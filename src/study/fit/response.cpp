#include "study/fit/fit_parts.hpp"

#include "calibration/fit_steps.hpp"
#include "study/run/scenario_run.hpp"
#include "workload/workload.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace kakehashi {
namespace {

constexpr double fine_step = 0.01; // a step of a logarithm

double mean_of(const std::vector<double>& numbers) {
  double all = 0;
  for (const auto number : numbers)
    all += number;
  return numbers.empty() ? 0 : all / static_cast<double>(numbers.size());
}

// Returns the mean over scenarios of the means over their chosen points.
template <class Measure> double mean_over(const Misses& misses, const Chosen& chosen, Measure measure) {
  std::vector<double> means;
  for (std::size_t s = 0; s < misses.size(); ++s) {
    std::vector<double> own;
    for (std::size_t i = 0; i < misses[s].size(); ++i)
      if (chosen(s, i))
        own.push_back(measure(misses[s][i]));
    if (!own.empty())
      means.push_back(mean_of(own));
  }
  return mean_of(means);
}

// ln(simulated / recorded) of all ranks' time in MPI. Kinds of calls would be too fine: which of them waits is chance.
Result<std::vector<double>> misses_of_calls(const Scenario& scenario) {
  const auto record = run(scenario);
  if (!record)
    return record.errors();
  const auto& calls = record->table.calls;
  Seconds simulated;
  for (const auto& line : calls ? calls->lines : std::vector<CallLine>())
    simulated += line.time;
  if (simulated.value <= 0 || calls->recorded.value <= 0)
    return file_error(ErrorKind::input, scenario.name,
                      "its calls take no time, or it lacks their times, which `record` writes");
  return std::vector{std::log(simulated / calls->recorded)};
}

} // namespace

Result<Misses> misses_of(const std::vector<Scenario>& scenarios, int jobs) {
  std::vector<Scenario> benchmarks;
  std::ranges::remove_copy_if(scenarios, std::back_inserter(benchmarks), is_recorded, &Scenario::workload);
  const auto curves = predict_curves(benchmarks, jobs);
  for (std::size_t i = 0; curves.size() < benchmarks.size() && i < benchmarks.size(); ++i)
    if (const auto record = run(benchmarks[i]); !record)
      return record.errors();
  Misses misses;
  auto curve = curves.begin();
  for (const auto& scenario : scenarios) {
    auto& own = misses.emplace_back();
    if (is_recorded(scenario.workload)) {
      auto of_calls = misses_of_calls(scenario);
      if (!of_calls)
        return of_calls.errors();
      own = std::move(*of_calls);
    } else {
      for (const auto& point : (curve++)->points)
        own.push_back(std::log(point.predicted / point.measured.value_or(point.predicted)));
    }
  }
  return misses;
}

double mean_error(const Misses& misses, const Chosen& chosen) {
  return mean_over(misses, chosen, [](double miss) { return std::abs(std::expm1(miss)); });
}

Misses sum(Misses one, const Misses& other, double factor) {
  for (std::size_t s = 0; s < one.size(); ++s)
    for (std::size_t i = 0; i < one[s].size(); ++i)
      one[s][i] += factor * other[s][i];
  return one;
}

Misses Response::at(double logarithm) const {
  const auto last = std::prev(misses_.end());
  const auto above = std::clamp(logarithm, low(), last->first) == last->first ? last : misses_.upper_bound(logarithm);
  if (above == misses_.begin())
    return above->second;
  const auto& [lower, below] = *std::prev(above);
  const double share = std::clamp((logarithm - lower) / (above->first - lower), 0.0, 1.0);
  return sum(sum(below, below, -share), above->second, share);
}

double Response::best(const Chosen& chosen, const Misses& added) const {
  const auto miss = [&](double at) {
    return mean_over(sum(this->at(at), added, 1), chosen, [](double each) { return std::abs(each); });
  };
  double best = low();
  double least = HUGE_VAL;
  const auto search = [&](double begin, double end, double step) {
    for (double at = std::max(begin, low()); at < std::min(end, high()) + step / 2; at += step)
      if (const double found = miss(at); found < least) {
        least = found;
        best = at;
      }
  };
  search(low(), high(), 10 * fine_step);
  search(best - 10 * fine_step, best + 10 * fine_step, fine_step);
  return best;
}

std::optional<double> Response::bound(double best, double direction, const Chosen& chosen) const {
  constexpr double last_digit = 0.005; // last digit of the numbers in logs
  std::size_t points = 0;
  const auto squares = [&](double at) {
    double all = 0;
    points = 0;
    const auto misses = this->at(at);
    for (std::size_t s = 0; s < misses.size(); ++s)
      for (std::size_t i = 0; i < misses[s].size(); ++i)
        if (chosen(s, i)) {
          ++points;
          all += misses[s][i] * misses[s][i];
        }
    return all;
  };
  const double least = squares(best);
  const auto freedom = std::max<std::size_t>(points, 2) - 1;
  const double scatter = std::max(least / static_cast<double>(freedom), last_digit * last_digit);
  const double t = nine_tenths(freedom);
  for (double at = best; at >= low() && at <= high(); at += direction * fine_step)
    if (squares(at) > least + scatter * t * t)
      return at;
  return std::nullopt;
}

double Response::reach(std::size_t scenario) const {
  std::vector<double> moved;
  for (std::size_t i = 0; i < misses_.begin()->second[scenario].size(); ++i) {
    double least = HUGE_VAL, most = -HUGE_VAL;
    for (const auto& [at, misses] : misses_) {
      least = std::min(least, misses[scenario][i]);
      most = std::max(most, misses[scenario][i]);
    }
    moved.push_back(most - least);
  }
  return mean_of(moved);
}

Result<Response> response_of(const std::vector<Scenario>& scenarios, const OpenField& field, double logarithm,
                             const Misses* there, bool is_fine, int jobs) {
  std::vector<double> offsets{1.05, 2.1}; // at most a factor of eight
  if (is_fine)
    offsets.insert(offsets.begin(), {0.03, 0.09, 0.26, 0.6});
  std::map<double, Misses> found;
  std::vector<Scenario> all; // run together, so that all jobs have work
  const auto add = [&](double at) {
    found[at] = {};
    for (auto& scenario : with_value(scenarios, field, std::exp(at)))
      all.push_back(std::move(scenario));
  };
  for (auto offset = offsets.rbegin(); offset != offsets.rend(); ++offset)
    add(logarithm - *offset);
  if (!there)
    add(logarithm);
  for (const auto offset : offsets)
    add(logarithm + offset);
  auto misses = misses_of(all, jobs);
  if (!misses)
    return misses.errors();
  auto next = misses->begin();
  for (auto& [at, own] : found)
    for (std::size_t i = 0; i < scenarios.size(); ++i)
      own.push_back(std::move(*next++));
  if (there)
    found[logarithm] = *there;
  return Response(std::move(found));
}

} // namespace kakehashi
