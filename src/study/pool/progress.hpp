// Reports how far long work has come.
#pragma once

#include <cstddef>
#include <functional>

namespace kakehashi {

// Is called with the numbers of finished and of all runs, as often as convenient.
using StudyProgress = std::function<void(std::size_t done, std::size_t all)>;

} // namespace kakehashi
