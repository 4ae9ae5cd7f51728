// Many ways to run one workload, as checked values: variants with other numbers, and slots that ranks may be placed on.
#pragma once

#include "model/scenario.hpp"

namespace kakehashi {

// The least time, or the highest bandwidth.
enum class Objective { time, bandwidth };
inline constexpr std::array<std::string_view, 2> objective_names{"time", "bandwidth"};

// A scenario with other values for the fields that vary.
struct Variant {
  std::vector<std::string> values; // the value of each field, as text
  Scenario scenario;
};

// A choice of devices for some of the ranks; the other ranks stay.
struct Placement {
  // Each rank chooses a slot; else whole devices are chosen, and filled in the order of the slots.
  bool is_ordered = true;
  std::vector<std::size_t> ranks; // those that may move, ascending
  std::vector<std::size_t> slots; // devices; ordered: at least as many as ranks, one entry for each place on a device
  std::size_t choose = 0;         // number of slots to choose; if not ordered, it divides the number of ranks
};

struct Sweep {
  std::vector<std::string> fields;    // the fields that vary: JSON pointers, or "ranks on DEVICES"
  std::vector<Variant> variants;      // the first is the unchanged scenario; all have the same kind of workload
  std::optional<Placement> placement; // if there is one, all variants have the same ranks
  Objective objective = Objective::time;
  std::uint64_t fingerprint = 0; // a hash of the contents of the files
};

} // namespace kakehashi
