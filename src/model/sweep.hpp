// Many ways to run one workload, as checked values: variants with other numbers, and devices for the ranks to choose
// from.
#pragma once

#include "model/scenario.hpp"

namespace kakehashi {

// The objective: the least time, or the highest bandwidth.
enum class Objective { time, bandwidth };
inline constexpr std::array<std::string_view, 2> objective_names{"time", "bandwidth"};

// A scenario with other values of the fields that vary.
struct Variant {
  std::vector<std::string> values; // of each field, as text
  Scenario scenario;
};

// Devices for some of the ranks; the others stay.
struct Placement {
  bool is_ordered = true;         // each rank chooses a slot; else whole devices are chosen, in the order of the slots
  std::vector<std::size_t> ranks; // that may move, ascending
  std::vector<std::size_t> slots; // devices; ordered: at least one for each of these ranks, a device once for each rank
  std::size_t choose = 0;         // of the slots; a divisor of the number of ranks if not ordered
};

struct Sweep {
  std::vector<std::string> fields;    // that vary: JSON pointers, or "ranks on DEVICES"
  std::vector<Variant> variants;      // the first is the scenario as it stands; all have the same workload's kind
  std::optional<Placement> placement; // with it all variants have the same ranks
  Objective objective = Objective::time;
  std::uint64_t fingerprint = 0; // of the files' contents
};

} // namespace kakehashi
