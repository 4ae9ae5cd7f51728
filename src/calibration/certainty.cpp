#include "calibration/fit_steps.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace kakehashi {
namespace {

using Vector = std::vector<double>;

// Calls visit(low, high, value) for each number of a regime.
template <class Visit> void for_each_number(Certainty& sure, const RegimeValues& values, Visit visit) {
  for (const auto member :
       {&RegimeValues::send, &RegimeValues::receive, &RegimeValues::send_byte, &RegimeValues::receive_byte})
    for (std::size_t k = 0; k < device_kind_count; ++k)
      visit((sure.low.*member)[k], (sure.high.*member)[k], (values.*member)[k]);
  for (const auto member : {&RegimeValues::setup, &RegimeValues::cap_byte})
    for (std::size_t c = 0; c < (values.*member).size(); ++c)
      visit((sure.low.*member)[c], (sure.high.*member)[c], (values.*member)[c]);
  visit(sure.low.gap, sure.high.gap, values.gap);
}

class Profile {
public:
  Profile(const FitProblem& problem, const RangeFit& fit)
      : problem_(problem), fit_(fit), sure_{fit.values, fit.values, {}} {
    sure_.constants.assign(problem.parameters.path_classes, {std::numeric_limits<double>::infinity(), 0});
    note(fit.values);
  }

  Certainty walk() {
    const auto start = to_logarithms(problem_.parameters, fit_.values);
    auto best = least(start, [](const Vector& rest) { return rest; });
    const auto freedom = points_ > start.size() ? points_ - start.size() : 1;
    const double scatter =
        std::max(best.value / static_cast<double>(freedom), least_scatter_ / static_cast<double>(points_));
    const double t = nine_tenths(freedom);
    allowed_ = best.value + scatter * t * t;
    for (std::size_t i = 0; i < start.size(); ++i)
      for (const double direction : {-1.0, 1.0})
        walk_along(i, direction, best.at, std::sqrt(scatter) * t);
    return sure_;
  }

private:
  // Returns the sum of the squared errors, and notes what it allows.
  double misfit(const Vector& at) {
    const auto values = from_logarithms(problem_.parameters, fit_.range.trips, at);
    double sum = 0;
    points_ = 0;
    least_scatter_ = 0;
    for (const auto& test : problem_.tests)
      for (const auto& point : test.curve.points) {
        if (point.size < fit_.range.from || point.size > fit_.range.to || point.value <= 0)
          continue;
        constexpr double most = 0.25;  // limits the effect of an outlier
        constexpr double digit = 0.01; // the digits that logs have
        const double found = predicted_value(values, test, static_cast<double>(point.size.count), problem_.answer);
        const double error = std::clamp(std::log(std::max(found, 1e-30) / point.value), -most, most);
        const double rounding = digit / point.value;
        sum += error * error;
        least_scatter_ += rounding * rounding / 12 + 1e-8;
        ++points_;
      }
    if (sum <= allowed_)
      note(values);
    return sum;
  }

  void note(const RegimeValues& values) {
    for_each_number(sure_, values, [](double& low, double& high, double value) {
      low = std::min(low, value);
      high = std::max(high, value);
    });
    for (const auto& test : problem_.tests) {
      const double constant = one_way_time(values, test, 0) - values.trips * in_microseconds(test.trip);
      auto& [low, high] = sure_.constants[test.path_class];
      low = std::min(low, constant);
      high = std::max(high, constant);
    }
  }

  // Returns the least misfit, starting from there, over the parameters that `complete` lets vary.
  template <class Complete> Minimum least(const Vector& start, Complete complete) {
    const auto cost = [&](const Vector& rest) { return misfit(complete(rest)); };
    Minimum best{start, start.empty() ? misfit(complete(start)) : cost(start)};
    for (const double step : {0.3, -0.1, 0.03})
      if (!start.empty())
        if (auto found = minimise(cost, best.at, step, 80 + 80 * static_cast<int>(start.size()));
            found.value < best.value)
          best = std::move(found);
    return best;
  }

  // Moves a parameter away from its best value as long as the others can compensate.
  void walk_along(std::size_t i, double direction, Vector at, double scale) {
    constexpr double lowest = -17, highest = 14; // logarithms of us or us/B: nothing, and a second
    bool grows = true;
    double step = scale;
    for (int tries = 0; tries < 40 && step > 0.1 * scale; ++tries) {
      auto rest = at;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
      const double there = std::clamp(at[i] + direction * step, lowest, highest);
      const auto complete = [&](Vector others) {
        others.insert(others.begin() + static_cast<std::ptrdiff_t>(i), there);
        return others;
      };
      auto found = least(rest, complete);
      if (found.value <= allowed_) {
        at = complete(std::move(found.at));
        if (there == lowest || there == highest)
          return;
      }
      grows = grows && found.value <= allowed_;
      step = grows ? std::min(2 * step, 2.0) : step / 2;
    }
  }

  const FitProblem& problem_;
  const RangeFit& fit_;
  Certainty sure_;
  double allowed_ = -1;
  std::size_t points_ = 0;
  double least_scatter_ = 0; // the scatter that the logs' rounding alone causes
};

} // namespace

double nine_tenths(std::size_t freedom) {
  constexpr std::array few{3.078, 1.886, 1.638, 1.533, 1.476, 1.440, 1.415, 1.397, 1.383, 1.372};
  if (freedom <= few.size())
    return few[std::max<std::size_t>(1, freedom) - 1];
  return 1.2816 * (1 + 0.66 / static_cast<double>(freedom));
}

Certainty certainty_of(const FitProblem& problem, const RangeFit& fit) {
  return Profile(problem, fit).walk();
}

} // namespace kakehashi
