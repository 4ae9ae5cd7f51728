// The changes of a claim to a shipped scenario: where its ranks are, and whose algorithm runs.
#pragma once

#include "input/json/checked.hpp"
#include "model/scenario.hpp"

namespace kakehashi {

// "box": [8, 3, 2] and "per_node": 4. Ranks on that part of a torus, from its first node on, x fastest; those of a node
// follow each other.
std::vector<std::size_t> read_box(const Checked& entry, const Platform& platform);

// A name of decision tables ("fujitsu-old") or of an algorithm of the benchmark's collective operation
// ("double-spread").
void set_library(MpiSettings& mpi, const Checked& name, const std::string& collective);

} // namespace kakehashi
