#include "calibration/fit_steps.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace kakehashi {
namespace {

using Point = std::vector<double>;

// a + factor · (b - a)
Point along(const Point& a, const Point& b, double factor) {
  Point point(a.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    point[i] = a[i] + factor * (b[i] - a[i]);
  return point;
}

Point centre_of_all_but_last(const std::vector<Minimum>& simplex) {
  Point centre(simplex[0].at.size());
  for (std::size_t i = 0; i + 1 < simplex.size(); ++i)
    for (std::size_t k = 0; k < centre.size(); ++k)
      centre[k] += simplex[i].at[k] / static_cast<double>(simplex.size() - 1);
  return centre;
}

} // namespace

Minimum minimise(const std::function<double(const std::vector<double>&)>& function, std::vector<double> start,
                 double step, int evaluations) {
  assert(!start.empty() && step != 0);
  const auto evaluated = [&](Point point) {
    --evaluations;
    const double value = function(point);
    return Minimum{std::move(point), value};
  };
  std::vector<Minimum> simplex{evaluated(start)};
  for (std::size_t i = 0; i < start.size(); ++i) {
    auto corner = start;
    corner[i] += step;
    simplex.push_back(evaluated(std::move(corner)));
  }
  const auto by_value = [](const Minimum& a, const Minimum& b) { return a.value < b.value; };
  std::stable_sort(simplex.begin(), simplex.end(), by_value);
  while (evaluations > 0 &&
         simplex.back().value - simplex.front().value > 1e-12 * (1 + std::abs(simplex.front().value))) {
    const auto centre = centre_of_all_but_last(simplex);
    auto& worst = simplex.back();
    const double second_worst = simplex[simplex.size() - 2].value;
    auto next = evaluated(along(centre, worst.at, -1)); // reflect
    if (next.value < simplex.front().value) {
      auto further = evaluated(along(centre, worst.at, -2)); // expand
      worst = further.value < next.value ? std::move(further) : std::move(next);
    } else if (next.value < second_worst) {
      worst = std::move(next);
    } else {
      const bool outside = next.value < worst.value;
      auto nearer = evaluated(along(centre, outside ? next.at : worst.at, 0.5)); // contract
      if (nearer.value < std::min(next.value, worst.value))
        worst = std::move(nearer);
      else
        for (std::size_t i = 1; i < simplex.size(); ++i) // shrink
          simplex[i] = evaluated(along(simplex[0].at, simplex[i].at, 0.5));
    }
    std::stable_sort(simplex.begin(), simplex.end(), by_value);
  }
  return simplex.front();
}

} // namespace kakehashi
