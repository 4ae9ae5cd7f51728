// A program on devices of a machine → how long it takes. A process may make as many runs as it wants.
//
//   const Run one = run(machine, "qdr", {"node0.cpu0", "node1.cpu0"}, ping_pong);
//   std::cout << in_microseconds(one.total) << " us\n";
#pragma once

#include "kakehashi/machine.hpp"
#include "kakehashi/program.hpp"

#include <functional>
#include <string>
#include <vector>

namespace kakehashi::api {

// Called once for each rank, before the run begins.
using ProgramFunction = std::function<Program(Rank&)>;

// The device of each rank; a device may have several ranks.
using Placement = std::vector<std::string>;

// Which network model carries the messages: our own, for many of them, or SimGrid's, which is the reference and takes
// longer. Runs with SimGrid come one after the other in a process.
enum class Engine { fluid, simgrid };

struct RunOptions {
  Engine engine = Engine::fluid;
  // Of the fluid engine: a message may end when it lacks half of this part of it, 0 to 0.05. Among up to 512 messages
  // at a time, and with 0, times are exact.
  double tolerance = 0.02;
};

struct Run {
  std::vector<Seconds> ends; // of each rank
  Seconds total;             // the latest of them
  std::size_t messages = 0;
};

// Same input, same output. Error: an unknown fabric or device, two ranks without a route, a deadlock (with the
// operation in which each rank is stuck), or an operation that cannot be.
Run run(const Machine& machine, const std::string& fabric, const Placement& placement, const ProgramFunction& program,
        const RunOptions& options = {});

struct Candidate {
  Placement placement;
  Run run;
};

// Runs the program on each placement: the fastest first, and of equal ones the earlier one. Error: as for run.
std::vector<Candidate> sweep(const Machine& machine, const std::string& fabric,
                             const std::vector<Placement>& placements, const ProgramFunction& program,
                             const RunOptions& options = {});

} // namespace kakehashi::api
