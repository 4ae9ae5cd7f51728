// The algorithms of each collective by the names that files use: one table, to which a choice's index refers.
#pragma once

#include "model/collective.hpp"

#include <span>

namespace kakehashi {

class Communicator;
class Program;
struct Call;

// An algorithm as each rank of the communicator runs it.
using Algorithm = Program (*)(Communicator comm, Call call);

struct AlgorithmRow {
  Collective collective;
  std::string_view name;
  Algorithm run;
  // If blocks are equal, all ranks do the same with those so many further on, by sends and puts alone; 0: they do not.
  int shifts_by = 0;
  // Likewise what those as far from the last rank as they are from the first do to their other side, if ranks are even.
  bool is_mirrored = false;
};
std::span<const AlgorithmRow> algorithm_table();

// The index of that algorithm in the table.
std::optional<std::size_t> find_algorithm(Collective collective, std::string_view name);

// Whether it uses the levels of a group: ranks of a node, and the first rank of each node.
bool has_two_levels(const AlgorithmRow& algorithm);

// Which parameters an algorithm has.
bool takes_width(const AlgorithmRow& algorithm);
bool takes_segment(const AlgorithmRow& algorithm);

} // namespace kakehashi
