// The rules by which an MPI library, or a user's file of rules for it, chooses algorithms of collective operations.
#pragma once

#include "model/mpi_settings.hpp"

#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace kakehashi {

// A property that the number of ranks must have.
enum class Ranks { any, odd, even, power_of_two };

// A bound for the number of ranks that depends on the size: per_byte · bytes + at_zero.
struct Line {
  double per_byte = 0;
  double at_zero = 0;
  double at(std::uint64_t bytes) const { return per_byte * static_cast<double>(bytes) + at_zero; }
};

// The size that a row bounds: the library's usual one (measured_bytes), the mean of the ranks' blocks, or the sum of
// all blocks. For a whole vector, both are its size.
enum class Measure { usual, block, all_blocks };

// The form that only holds for ranks with one memory.
inline constexpr std::string_view shared_memory_form = "shared-memory";

// One row. It holds for calls that meet all its conditions, and the first row that holds decides.
struct Decision {
  Collective collective{};
  std::string_view algorithm{}; // a name in the registry; empty, in a user's rules: the library's own table decides

  Measure measure = Measure::usual;
  std::uint64_t bytes_from = 0;
  std::uint64_t bytes_below = std::numeric_limits<std::uint64_t>::max();
  int ranks_from = 0;
  int ranks_below = std::numeric_limits<int>::max();
  Ranks ranks = Ranks::any;
  Line ranks_below_line{0, std::numeric_limits<double>::infinity()};
  Line ranks_above_line{0, -1};
  bool off_nodes = false; // the condition of on_nodes does not hold
  bool on_nodes = false;  // there are several nodes, and several ranks on one of them
  bool on_box = false;    // the ranks fill a box of nodes on a torus, with two or more nodes along each of three axes
  int ranks_per_node_from = 0; // on each node
  int ranks_per_node_below = std::numeric_limits<int>::max();

  Bytes segment{};
  int width = 0;
  std::string_view claim{}; // the claim that its numbers were set from
};

// A rule that could not be followed, and why.
struct LeftOutRule {
  Collective collective{};
  std::string what;
};

// An entry in a file of rules that may not do what its writer meant.
struct RuleNote {
  std::string place; // "line 3", or a JSON pointer
  std::string what;
};

// The rows of a user's file. They come before the library's own table.
struct CollectiveRules {
  std::string file;
  std::vector<Decision> rows;
  std::vector<LeftOutRule> left_out;
  std::vector<RuleNote> notes{};
  std::shared_ptr<const struct MpiLibrary> own{}; // the user's own library, whose rows these are; null: there is none
};

} // namespace kakehashi
