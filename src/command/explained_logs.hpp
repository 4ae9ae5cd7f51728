// Logs to be explained, and the places of their ranks → scenarios with measured curves.
#pragma once

#include "command/shared_options.hpp"
#include "model/scenario.hpp"

namespace kakehashi {

struct ExplainedLogs {
  std::vector<Scenario> scenarios; // on one platform and fabric
  std::vector<std::string> notes;  // for the user
  bool is_known = false;           // whether the platform is known
};

// Reads tests of two ranks, wherever they were; or, if options place the ranks of a whole job, each benchmark with that
// many ranks. `logs` are DISTANCE=FILE. Errors: those of the files; options that do not apply to logs.
Result<ExplainedLogs> read_explained_logs(const ScenarioArguments& options, const std::vector<std::string>& logs,
                                          const Streams& streams);

} // namespace kakehashi
