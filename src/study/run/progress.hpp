// How far long work is.
#pragma once

#include <cstddef>
#include <functional>

namespace kakehashi {

// Is called with how many of how many runs are done, as often as is convenient.
using StudyProgress = std::function<void(std::size_t done, std::size_t all)>;

} // namespace kakehashi
