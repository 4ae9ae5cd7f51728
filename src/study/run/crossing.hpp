// A path → where one device reads or writes the memory of another that hangs on another socket, at a rate of its own.
#pragma once

#include "result/explanation.hpp"
#include "transport/path.hpp"

namespace kakehashi {

std::vector<Crossing> crossings_of(const Path& path, const Platform& platform);

} // namespace kakehashi
