// A scenario or a platform → what is listed, drawn and exported of it.
#pragma once

#include "base/error.hpp"
#include "engine/options.hpp"
#include "model/decision.hpp"
#include "model/platform.hpp"
#include "model/scenario.hpp"
#include "result/exported.hpp"
#include "result/inventory.hpp"
#include "result/machine.hpp"
#include "result/summary.hpp"
#include "result/tuning.hpp"
#include "result/way_choice.hpp"
#include "study/run/scenario_run.hpp"
#include "topology/topology.hpp"

#include <array>
#include <memory>
#include <optional>
#include <span>

namespace kakehashi {

// A platform, a run, or rules → data for other programs.

// Returns the hosts, links and routes of a fabric for another simulator, which has one protocol for all pairs: that of
// messages between two devices, or else of the first pair of the widest scope. Errors: there are more pairs of devices
// than a file with a route for each can have, or the fabric does not join the two.
Result<ExportedNetwork> export_network(const Platform& platform, const Fabric& fabric,
                                       const std::optional<std::array<std::size_t, 2>>& between = std::nullopt);

// Runs the scenario and returns the operations of its ranks, message by message; collective calls are resolved by their
// algorithms. A put becomes a send, and its target receives it without waiting. Errors: those of a run, or an operation
// that traces do not have, such as a receive from any rank.
Result<TracedJob> trace_job(const Scenario& scenario, RunPlan plan);

// Returns the ranges of communicators and sizes in Open MPI's rules, each with the one rule that decides there. Errors:
// conditions that no range can have, such as ranks that are one on each node.
Result<RuleGrid> rule_grid(const CollectiveRules& rules);

// A platform → the figures of each fabric between devices, and notes on routes and caps that need a look.

// The limit for the devices that are listed. If more run ranks, only those of the first two nodes are listed.
inline constexpr std::size_t most_listed = 16;
// Returns the listed devices; left_out becomes the number of other devices that run ranks.
std::vector<std::size_t> listed_devices(const Platform& platform, std::size_t& left_out);

// Simulates the figures.
PlatformInventory inventory_of(const std::shared_ptr<const Platform>& platform);

// Warns of each regime whose cap is within a tenth of its messages' narrowest link, so that another link would change
// little. It looks at the ways between the listed devices.
std::vector<std::string> near_caps(const Platform& platform);

// Warns of each cap that hides what the scenario's changes give to its ranks' messages: the links on their ways have
// another rate than before, and the cap is below both.
std::vector<std::string> hidden_by_caps(const Scenario& scenario);

// Returns the types of links in order of travel: "pcie qpi pcie".
std::string links_text(const Platform& platform, std::span<const std::size_t> links);
// Returns the ways between two devices, the route first; fewer than two if there was no choice.
std::vector<WayFigures> ways_between(const Platform& platform, Topology& topology, const Fabric& fabric,
                                     std::size_t from, std::size_t to, Side initiator);
// Returns the routes that were chosen from several ways, between the listed devices and those of the last node.
std::vector<RouteChoices> route_choices(const Platform& platform);

// A platform, ranks and the load of links → the machine as it is drawn.

// Returns the machine with the ranks and without loads.
Machine machine_of(const Scenario& scenario);
Machine machine_of(const Platform& platform, std::span<const std::size_t> ranks);

// Adds what channels carried, by their names.
void add_use(Machine& machine, std::span<const LinkUse> uses);

// Returns the machine of a scenario with the loads of a run of its own, in which a benchmark does each size once;
// nothing if the scenario cannot run.
std::optional<Machine> used_machine(const Scenario& scenario, const EngineOptions& engine);

} // namespace kakehashi
