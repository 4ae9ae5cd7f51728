// The NVLinks between GPUs of a node → rings through all of them.
#pragma once

#include <vector>

namespace kakehashi {

struct GpuSystem;

// How often each two GPUs of the first node may be joined by channels of one speed.
using Joints = std::vector<std::vector<int>>;
// `rate`: GB/s of one NVLink as the library counts; `line`: by data sheet.
// may_bounce: two GPUs without a link may be joined through a third one.
Joints joints_of(const GpuSystem& system, double speed, double rate, double line, bool may_bounce);

// Takes a ring through all GPUs, over those with the most joints left first; of equal ones those from number `turn` on.
// Empty: there is none, or the search is long.
std::vector<int> take_ring(Joints& joints, int turn = 0);

// The ring that leaves these links least often, as between islands of GPUs.
std::vector<int> ring_with_gaps(Joints joints);

} // namespace kakehashi
