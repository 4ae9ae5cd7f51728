// What logs of collective operations showed → the platform file with it merged in.
#pragma once

#include "result/collective_fit.hpp"

namespace kakehashi {

// The text of a platform file without faults, with the fields that moved.
std::string merge(const std::string& platform, const CollectiveFit& fit);

} // namespace kakehashi
