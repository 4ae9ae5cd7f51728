// A prediction → between what a measured value lies in four of five cases, by how far this model was from the
// measurements of machines that nobody tuned.
#pragma once

#include "base/units.hpp"
#include "model/collective.hpp"

#include <array>
#include <string_view>

namespace kakehashi {

// Whose errors are alike.
enum class TestGroup {
  pair,       // one pair of ranks
  neighbours, // each rank with those beside it
  bcast,
  reduce,
  allreduce,
  allgather, // the v-forms as well
  alltoall,
  other,      // collective operation
  application // whatever sizes and operations it has
};
TestGroup group_of(Collective collective);

// Of the rules that a run goes by: whether the costs of software in them are assumed.
enum class AssumedRules { none, some, all };
inline constexpr std::array<std::string_view, 3> assumed_rules_names{"none", "some", "all"};

// Of the predicted time.
struct LikelyFactors {
  double low = 1;
  double high = 1;
};
constexpr double likely_share = 0.8; // of measured values is between them

LikelyFactors likely_factors(TestGroup group, Bytes size, AssumedRules assumed); // size: at most largest_size

} // namespace kakehashi
