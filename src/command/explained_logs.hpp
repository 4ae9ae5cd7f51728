// The logs that explain is given, and where their ranks were → scenarios with measured curves.
#pragma once

#include "command/shared_options.hpp"
#include "model/scenario.hpp"

namespace kakehashi {

struct ExplainedLogs {
  std::vector<Scenario> scenarios; // of one platform and fabric
  std::vector<std::string> notes;  // for the user
  bool is_known = false;           // the platform is
};

// Tests of two ranks, wherever they were; or, if options state how the ranks of a whole job were placed, each benchmark
// of as many ranks. logs: DISTANCE=FILE. Errors: those of the files; options that logs do not heed.
Result<ExplainedLogs> read_explained_logs(const ScenarioArguments& options, const std::vector<std::string>& logs,
                                          const Streams& streams);

} // namespace kakehashi
