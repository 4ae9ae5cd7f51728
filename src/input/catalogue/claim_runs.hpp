// A claim → the runs that give its number.
#pragma once

#include "input/json/checked.hpp"
#include "model/catalogue.hpp"
#include "model/scenario.hpp"

#include <map>

namespace kakehashi {

// Adds one run, or the two that the claim compares; or else the reason, as the item's `fault` or `pending`. Some claims
// take from a shipped scenario (by platform/name) what they do not state themselves.
void add_runs(ClaimCase& item, const Checked& entry, std::shared_ptr<const Platform> platform,
              const std::map<std::string, Scenario>& scenarios);

// The changes that a claim makes to a shipped scenario: the places of its ranks, and the algorithm.

// Reads "box": [8, 3, 2] and "per_node": 4. The ranks are on that part of a torus, from its first node on, x fastest;
// the ranks of a node are adjacent.
std::vector<std::size_t> read_box(const Checked& entry, const Platform& platform);

// Sets decision tables by name ("fujitsu-old"), or an algorithm of the benchmark's collective operation
// ("double-spread").
void set_library(MpiSettings& mpi, const Checked& name, const std::string& collective);

} // namespace kakehashi
