// Decision tables: which algorithm an MPI library uses for which sizes and numbers of ranks.
#pragma once

#include "workload/collective/collective.hpp"

#include <limits>

namespace kakehashi {

// A property of the number of ranks.
enum class Ranks { any, odd, even, power_of_two };

// A number of ranks that depends on the size: per_byte · bytes + at_zero.
struct Line {
  double per_byte = 0;
  double at_zero = 0;
  double at(std::uint64_t bytes) const { return per_byte * static_cast<double>(bytes) + at_zero; }
};

// A row holds for calls that meet all its conditions. The first one that holds decides.
struct Decision {
  Collective collective;
  std::string_view algorithm;

  std::uint64_t bytes_below = std::numeric_limits<std::uint64_t>::max(); // see measured_bytes
  int ranks_from = 0;
  int ranks_below = std::numeric_limits<int>::max();
  Ranks ranks = Ranks::any;
  Line ranks_below_line{0, std::numeric_limits<double>::infinity()};
  Line ranks_above_line{0, -1};
  bool on_nodes = false; // there are several nodes, and several ranks on one of them
  bool on_box = false;   // the ranks fill a box of nodes on a torus
  int ranks_per_node_below = std::numeric_limits<int>::max(); // on each node

  Bytes segment{};
  int width = 0;
};

// A library's rows; for each collective one without conditions is last. Fujitsu's say only what is not as in Open MPI.
std::span<const Decision> decisions_of(Selector selector);
std::span<const Decision> fujitsu_old_decisions();
std::span<const Decision> fujitsu_new_decisions();

// The size that decisions go by: of the whole result for allgather and allgatherv, of one rank's block (the mean) for
// gather, scatter, alltoall and their v-forms, of the whole vector for all others.
std::uint64_t measured_bytes(Collective collective, const Blocks& blocks);

bool holds(const Decision& decision, Collective collective, std::uint64_t bytes, const Group& group);

} // namespace kakehashi
