#include "result/likely_range.hpp"

#include <algorithm>
#include <cassert>

namespace kakehashi {
namespace {

struct Row {
  TestGroup group;
  Bytes to;                             // the largest size of its band
  std::array<LikelyFactors, 3> factors; // by AssumedRules
};
using enum TestGroup;
constexpr std::array rows{
#include "result/held_out_errors.inc"
#include "result/gpu_errors.inc"
};

} // namespace

TestGroup group_of(Collective collective) {
  switch (collective) {
  case Collective::bcast: return bcast;
  case Collective::reduce: return reduce;
  case Collective::allreduce: return allreduce;
  case Collective::allgather:
  case Collective::allgatherv: return allgather;
  case Collective::alltoall:
  case Collective::alltoallv: return alltoall;
  default: return other;
  }
}

LikelyFactors likely_factors(TestGroup group, Bytes size, AssumedRules assumed) {
  const auto found = std::ranges::find_if(rows, [&](const Row& row) { return row.group == group && size <= row.to; });
  assert(found != rows.end());
  return found->factors[static_cast<std::size_t>(assumed)];
}

} // namespace kakehashi
