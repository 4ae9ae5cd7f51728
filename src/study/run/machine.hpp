// Platform, ranks and what links carried → the machine as it is drawn.
#pragma once

#include "engine/run.hpp"
#include "model/scenario.hpp"
#include "result/machine.hpp"
#include "result/summary.hpp"

#include <span>

namespace kakehashi {

// Without uses; the ranks are those of the scenario.
Machine machine_of(const Scenario& scenario);
Machine machine_of(const Platform& platform, std::span<const std::size_t> ranks);

// With what channels carried, by their names.
void add_use(Machine& machine, std::span<const LinkUse> uses);

// The machine of a scenario with the uses of a run of its own, in which a benchmark takes each size once; nothing if it
// cannot run.
std::optional<Machine> used_machine(const Scenario& scenario, const EngineOptions& engine);

} // namespace kakehashi
