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

struct AlgorithmTraits {
  bool takes_segment = false; // which parameters of a choice it goes by
  bool takes_width = false;
  bool has_two_levels = false; // it uses the levels of a group: ranks of a node, and the first rank of each node
  // If blocks are equal, all ranks do the same with those so many further on, by sends and puts alone; 0: they do not.
  int shifts_by = 0;
  // Likewise what those as far from the last rank as they are from the first do to their other side, if ranks are even.
  bool is_mirrored = false;
};

struct AlgorithmRow {
  Collective collective;
  std::string_view name;
  Algorithm run;
  AlgorithmTraits traits = {};
};
std::span<const AlgorithmRow> algorithm_table();

// The index of that algorithm in the table.
std::optional<std::size_t> find_algorithm(Collective collective, std::string_view name);
// Likewise of one that is there, such as those in tables of libraries.
std::size_t index_of_algorithm(Collective collective, std::string_view name);

} // namespace kakehashi
