// A function of several numbers and a start → the numbers of the nearest minimum (Nelder and Mead's simplex method).
#pragma once

#include <functional>
#include <vector>

namespace kakehashi {

struct Minimum {
  std::vector<double> at;
  double value = 0;
};

// `step` is the size of the first simplex. It ends after `evaluations` evaluations, or when the simplex is flat.
Minimum minimise(const std::function<double(const std::vector<double>&)>& function, std::vector<double> start,
                 double step, int evaluations);

} // namespace kakehashi
