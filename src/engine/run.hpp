// A scenario → what happened when it ran.
#pragma once

#include "base/error.hpp"
#include "engine/mpi/simulation.hpp"
#include "result/record.hpp"

namespace kakehashi {

enum class EngineKind { automatic, simgrid, fluid };
inline constexpr std::array<std::string_view, 3> engine_names{"auto", "simgrid", "fluid"};

struct EngineOptions {
  EngineKind kind = EngineKind::automatic;
  double tolerance = 0.02; // of the fluid engine, a part of one; at most 0.05
  std::uint32_t seed = 0;  // shuffles what happens at the same time; 0: not at all
};

// `auto` begins with SimGrid if there are so few ranks that each could write to each with no more messages, and begins
// again with the fluid engine when there are more after all. A long trace begins with the fluid engine.
inline constexpr std::size_t simgrid_messages = 50000;

// Everything that a scenario needs before it can run.
struct Plan {
  std::shared_ptr<const Platform> platform;
  std::unique_ptr<Topology> topology;
  std::unique_ptr<ChainTable> chains;
};

// Errors: two ranks have no route, or no rule of the fabric fits them. Between many devices chains are found while the
// scenario runs, and so are such errors.
Result<Plan> plan(const Scenario& scenario);

// Once in a process. Errors: those of plan, or a deadlock. Fills the trace if there is one.
Result<RunRecord> run(const Scenario& scenario, Trace* trace = nullptr, const EngineOptions& options = {});
Result<RunRecord> run(const Scenario& scenario, const Plan& plan, Trace* trace = nullptr,
                      const EngineOptions& options = {});

} // namespace kakehashi
