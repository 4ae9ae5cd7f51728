// A program and the devices it runs on → the time that it takes. A process may make as many runs as it wants.
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

// The library calls it once for each rank, before the run begins.
using ProgramFunction = std::function<Program(Rank&)>;

// The device of each rank; a device may have several ranks.
using Placement = std::vector<std::string>;

// The network model that carries the messages. The fluid engine is our own and made for many messages; SimGrid is the
// reference and slower. A process makes one run with SimGrid at a time.
enum class Engine { fluid, simgrid };

struct RunOptions {
  Engine engine = Engine::fluid;
  // The fluid engine may end a message when half of this share of its bytes is left; 0 to 0.05. Times are exact with 0,
  // and while at most 512 messages flow.
  double tolerance = 0.02;
};

struct Run {
  std::vector<Seconds> ends; // ends of each rank
  Seconds total;             // the latest of them
  std::size_t messages = 0;
};

// The same input gives the same output. Throws an Error for an unknown fabric or device, two ranks without a route, a
// deadlock (with the operation in which each rank is stuck), or an operation that Rank refuses.
Run run(const Machine& machine, const std::string& fabric, const Placement& placement, const ProgramFunction& program,
        const RunOptions& options = {});

struct Candidate {
  Placement placement;
  Run run;
};

// Runs the program on each placement. The fastest comes first, and of equal ones the earlier one. Throws as run() does.
std::vector<Candidate> sweep(const Machine& machine, const std::string& fabric,
                             const std::vector<Placement>& placements, const ProgramFunction& program,
                             const RunOptions& options = {});

} // namespace kakehashi::api
