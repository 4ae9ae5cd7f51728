#include "calibration/fit_steps.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>

namespace kakehashi {
namespace {

constexpr std::size_t most_sizes = 52; // more octaves than there are below the largest size

std::vector<Bytes> sizes_between(std::span<const Observation> tests, Bytes from, Bytes to) {
  auto sizes = sizes_of(tests);
  std::erase_if(sizes, [&](Bytes size) { return size < from || size > to; });
  return sizes;
}

// Returns the one-way time of a 4-byte message, from the first one-way test.
double answer_time(std::span<const Observation> tests) {
  for (const auto& test : tests)
    if (!is_window(test.form))
      for (const auto& point : test.curve.points)
        if (point.size >= Bytes{4} && point.value > 0)
          return point.value;
  return 0;
}

// For each octave: its sizes, and the number of curves that have each size.
using Octaves = std::map<int, std::vector<std::pair<Bytes, std::size_t>>>;

Octaves octaves_of(std::span<const Observation> tests, const std::vector<Bytes>& sizes) {
  std::map<Bytes, std::size_t> curves;
  for (const auto& test : tests)
    for (const auto& point : test.curve.points)
      ++curves[point.size];
  Octaves octaves;
  for (const auto size : sizes)
    octaves[static_cast<int>(std::bit_width(size.count))].emplace_back(size, curves[size]);
  return octaves;
}

// Adds up to `count` sizes of an octave, evenly spread over those that most curves have.
void add_some(std::vector<Bytes>& chosen, const std::vector<std::pair<Bytes, std::size_t>>& octave, std::size_t count) {
  std::size_t most = 0;
  for (const auto& [size, curves] : octave)
    most = std::max(most, curves);
  std::vector<Bytes> best;
  for (const auto& [size, curves] : octave)
    if (curves == most)
      best.push_back(size);
  count = std::min(count, best.size());
  for (std::size_t i = 0; i < count; ++i)
    chosen.push_back(best[i * best.size() / count]);
}

// A regime for fewer than three sizes could fit any times, so it must gain more.
double penalty_of(std::size_t sizes, const CalibrationOptions& options) {
  return options.penalty + (sizes < 3 ? options.thin_penalty * static_cast<double>(3 - sizes) : 0);
}

int regimes_at_most(const std::vector<Bytes>& sizes, const CalibrationOptions& options) {
  const int needed = options.trips_at(sizes.front()) == options.trips_at(sizes.back()) ? 1 : 2;
  return std::max(needed, std::min(options.most_regimes, static_cast<int>(sizes.size() / 3)));
}

// Returns the largest fall of a lone message's time, over all tests and as a share, if the regime above begins at this
// size.
double fall_at(const FitProblem& problem, const RangeFit& below, const RangeFit& above, Bytes size) {
  double most = 0;
  for (const auto& test : problem.tests) {
    const double bytes = static_cast<double>(size.count);
    most = std::max(most, 1 - one_way_time(above.values, test, bytes) / one_way_time(below.values, test, bytes));
  }
  return most;
}

bool falls_as_measured(const FitProblem& problem, Bytes last_below, Bytes first_above) {
  return std::any_of(problem.tests.begin(), problem.tests.end(), [&](const Observation& test) {
    const auto last = test.curve.at(last_below);
    const auto first = test.curve.at(first_above);
    return !is_window(test.form) && last && first && *first < *last;
  });
}

struct Best {
  double cost = std::numeric_limits<double>::infinity();
  std::vector<RangeFit> ranges;
};

// Returns the best partition of all sizes in the problem's tests.
std::vector<RangeFit> partition(const FitProblem& problem, const CalibrationOptions& options, const StepDone& step) {
  const auto sizes = sizes_of(problem.tests);
  // best[k][n]: the first n sizes in k regimes
  std::vector<std::vector<Best>> best(static_cast<std::size_t>(regimes_at_most(sizes, options)) + 1,
                                      std::vector<Best>(sizes.size() + 1));
  best[0][0].cost = 0;
  for (std::size_t begin = 0; begin < sizes.size(); ++begin) {
    const int trips = options.trips_at(sizes[begin]);
    for (std::size_t end = begin + 1; end <= sizes.size() && options.trips_at(sizes[end - 1]) == trips; ++end) {
      const auto fit = fit_range(problem, {sizes[begin], sizes[end - 1], trips}, Effort::quick);
      for (std::size_t k = 1; k < best.size(); ++k) {
        const double cost = best[k - 1][begin].cost + fit.cost + penalty_of(end - begin, options);
        if (cost >= best[k][end].cost)
          continue;
        best[k][end].cost = cost;
        best[k][end].ranges = best[k - 1][begin].ranges;
        best[k][end].ranges.push_back(fit);
      }
    }
    if (step)
      step();
  }
  const Best* chosen = &best[1].back();
  for (const auto& row : best)
    if (row.back().cost < chosen->cost)
      chosen = &row.back();
  return chosen->ranges;
}

// Returns the sum over the tests of |error| at a size, each weighted by its share of the test's points.
double error_at(const FitProblem& problem, const RegimeValues& values, Bytes size) {
  double sum = 0;
  for (const auto& test : problem.tests)
    if (const auto value = test.curve.at(size); value && *value > 0)
      sum += std::abs(predicted_value(values, test, static_cast<double>(size.count), problem.answer) / *value - 1) /
             static_cast<double>(test.curve.points.size());
  return sum;
}

// Moves the borders between regimes, which were found among representatives, to where the two regimes have the least
// error. The number of trips of each size stays.
void place_borders(const FitProblem& problem, const CalibrationOptions& options, std::vector<RangeFit>& ranges) {
  const auto sizes = sizes_of(problem.tests);
  for (std::size_t s = 0; s + 1 < ranges.size(); ++s) {
    auto& below = ranges[s];
    auto& above = ranges[s + 1];
    const auto last = std::find(sizes.begin(), sizes.end(), below.range.to);
    const auto limit = std::find(last, sizes.end(), above.range.from);
    auto border = limit;
    double least = 0, gain = 0; // the loss and the gain of moving the sizes from there on to the regime above
    for (auto size = limit; size != last + 1;) {
      --size;
      if (below.range.trips == above.range.trips)
        gain += error_at(problem, above.values, *size) - error_at(problem, below.values, *size);
      else
        gain += options.trips_at(*size) == above.range.trips ? -1 : 1;
      if (gain < least) {
        least = gain;
        border = size;
      }
    }
    below.range.to = *(border - 1);
    above.range.from = *border;
  }
  ranges.front().range.from = sizes.front();
  ranges.back().range.to = sizes.back();
}

} // namespace

std::vector<Bytes> sizes_of(std::span<const Observation> tests) {
  std::vector<Bytes> sizes;
  for (const auto& test : tests)
    for (const auto& point : test.curve.points)
      if (point.value > 0)
        sizes.push_back(point.size);
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

std::vector<Bytes> representatives(std::span<const Observation> tests, Bytes from, Bytes to) {
  const auto sizes = sizes_between(tests, from, to);
  if (sizes.size() <= most_sizes)
    return sizes;
  const auto octaves = octaves_of(tests, sizes);
  std::vector<Bytes> chosen;
  for (std::size_t each = most_sizes; each > 0; --each) {
    chosen.clear();
    for (const auto& [octave, members] : octaves)
      add_some(chosen, members, each);
    if (chosen.size() <= most_sizes)
      break;
  }
  return chosen;
}

std::vector<Observation> only_sizes(std::span<const Observation> tests, std::span<const Bytes> sizes) {
  std::vector<Observation> kept(tests.begin(), tests.end());
  for (auto& test : kept)
    std::erase_if(test.curve.points,
                  [&](const CurvePoint& point) { return !std::binary_search(sizes.begin(), sizes.end(), point.size); });
  return kept;
}

std::vector<Observation> thinned(std::span<const Observation> tests, Bytes from, Bytes to) {
  const auto sizes = representatives(tests, from, to);
  if (sizes.size() == sizes_between(tests, from, to).size())
    return {tests.begin(), tests.end()};
  return only_sizes(tests, sizes);
}

std::optional<Bytes> shown_rendezvous(std::span<const Observation> tests) {
  std::optional<Bytes> shown;
  for (const auto& test : tests) {
    if (test.form != TestForm::one_way || test.curve.metric != Metric::time || test.curve.points.empty())
      continue;
    double least = std::numeric_limits<double>::infinity();
    double best = 0; // bytes per microsecond
    for (const auto& point : test.curve.points)
      if (point.value > 0) {
        least = std::min(least, point.value);
        best = std::max(best, static_cast<double>(point.size.count) / point.value);
      }
    for (std::size_t i = 1; i < test.curve.points.size(); ++i) {
      const auto& before = test.curve.points[i - 1];
      const auto& point = test.curve.points[i];
      const double needed = static_cast<double>(point.size.count - before.size.count) / best;
      if (before.value > 1.5 * least && needed >= 0.1 * before.value && point.value - before.value < 0.5 * needed) {
        shown = std::min(shown.value_or(point.size), point.size);
        break;
      }
    }
  }
  return shown;
}

FitProblem problem_of(std::span<const Observation> tests, const CalibrationOptions& options) {
  return {tests, parameters_of(tests, options.cores_move_payload), answer_time(tests)};
}

std::vector<RangeFit> best_ranges(const FitProblem& problem, const CalibrationOptions& options, const StepDone& step) {
  const auto sizes = sizes_of(problem.tests);
  const auto few = thinned(problem.tests, sizes.front(), sizes.back());
  auto ranges = partition({few, problem.parameters, problem.answer}, options, step);
  place_borders(problem, options, ranges);
  for (auto& fit : ranges)
    fit = refit(problem, fit.range);
  return ranges;
}

std::size_t steps_of(std::span<const Observation> tests) {
  return representatives(tests, Bytes{0}, Bytes{std::numeric_limits<std::uint64_t>::max()}).size();
}

RangeFit refit(const FitProblem& problem, const SizeRange& range) {
  const auto few = thinned(problem.tests, range.from, range.to);
  return fit_range({few, problem.parameters, problem.answer}, range, Effort::full);
}

Bytes border_between(const FitProblem& problem, const RangeFit& below, const RangeFit& above) {
  auto border = above.range.from;
  if (below.range.trips != above.range.trips || falls_as_measured(problem, below.range.to, border))
    return border;               // the border is stated, or the curve shows it
  constexpr double small = 0.02; // a fall that does not count
  constexpr std::uint64_t parts = 16;
  const auto between = above.range.from.count - below.range.to.count;
  double fall = fall_at(problem, below, above, border);
  const bool is_fall = fall > small;
  for (auto part = parts - 1; part > 0 && is_fall; --part) {
    const Bytes size{below.range.to.count + between * part / parts};
    if (const double other = fall_at(problem, below, above, size); other < fall && size > below.range.to) {
      border = size;
      fall = other;
    }
  }
  return border;
}

const RangeFit& range_for(const std::vector<RangeFit>& ranges, Bytes size) {
  std::size_t index = 0;
  while (index + 1 < ranges.size() && ranges[index + 1].range.from <= size)
    ++index;
  return ranges[index];
}

} // namespace kakehashi
