// The files that calibrate is given, and where their benchmarks ran → scenarios with measured curves.
#pragma once

#include "command/command.hpp"
#include "model/scenario.hpp"

namespace kakehashi {

struct Measurements {
  std::vector<Scenario> scenarios; // of one fabric of one platform
  std::vector<std::string> notes;  // for the user, on what the logs hold
};

// Logs ran on --ranks of --platform, which is that of --merge if left out; without either on a cluster of which nothing
// is known. Errors: those of the files; options that do not apply; a file twice; more than one fabric.
Result<Measurements> read_measurements(const Options& options);

} // namespace kakehashi
