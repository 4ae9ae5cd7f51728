// The algorithms of each collective by their names in files: one table, into which a choice's index points.
#pragma once

#include "model/mpi_settings.hpp"

#include <span>

namespace kakehashi {

class Communicator;
class Program;
struct Call;

// An algorithm as each rank of the communicator runs it.
using Algorithm = Program (*)(Communicator comm, Call call);

struct AlgorithmTraits {
  bool takes_segment = false; // whether it uses a choice's segment, and its width
  bool takes_width = false;
  bool has_two_levels = false; // it uses the levels of a group: the ranks of each node, and the first rank of each node
  bool needs_memory = false;   // only for ranks that share a memory
  // With equal blocks, all ranks do the same as the ranks this many further on, with sends and puts alone; 0: they do
  // not.
  int shifts_by = 0;
  // With an even number of ranks, they also do the same to their other side as the ranks as far from the last rank as
  // they are from the first.
  bool is_mirrored = false;
  bool sends_own = false;     // ranks send what they had at the beginning, and pass on nothing that they receive
  std::string_view lane = {}; // lane of its messages and work; empty: that of its caller
};

struct AlgorithmRow {
  Collective collective;
  std::string_view name;
  Algorithm run;
  AlgorithmTraits traits = {};
};
std::span<const AlgorithmRow> algorithm_table();

// The row of the table, or that of the user's own algorithm.
AlgorithmRow row_of(const AlgorithmChoice& choice);

// Returns the index of an algorithm in the table.
std::optional<std::size_t> find_algorithm(Collective collective, std::string_view name);
// The same for an algorithm that exists, such as those in libraries' tables.
std::size_t index_of_algorithm(Collective collective, std::string_view name);

} // namespace kakehashi
