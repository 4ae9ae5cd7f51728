// A prediction → the range in which a measured value lies in four of five cases. The range follows from this model's
// errors on machines that nobody tuned it for.
#pragma once

#include "base/units.hpp"
#include "model/collective.hpp"

#include <array>
#include <string_view>

namespace kakehashi {

// Tests with similar errors.
enum class TestGroup {
  pair,       // one pair of ranks
  neighbours, // each rank and its neighbours
  bcast,
  reduce,
  allreduce,
  allgather, // also the v-forms
  alltoall,
  other,      // any other collective operation
  gpu,        // a collective of NCCL or RCCL
  application // an application, whatever its sizes and operations
};
TestGroup group_of(Collective collective);

// How many of the rules that a run uses have assumed software costs.
enum class AssumedRules { none, some, all };
inline constexpr std::array<std::string_view, 3> assumed_rules_names{"none", "some", "all"};

// Factors of the predicted time.
struct LikelyFactors {
  double low = 1;
  double high = 1;
};
constexpr double likely_share = 0.8; // the share of measured values that lies between them

// Requires a size of at most largest_size.
LikelyFactors likely_factors(TestGroup group, Bytes size, AssumedRules assumed);

} // namespace kakehashi
