// A job's log → a scenario for each of its tables that calibration can use, as if a user had written it.
#pragma once

#include "base/error.hpp"
#include "model/log.hpp"
#include "model/scenario.hpp"

namespace kakehashi {

// Where the benchmark ran, since a log does not tell.
struct LogPlace {
  std::shared_ptr<const Platform> platform;
  std::string fabric;
  std::vector<std::size_t> ranks; // two devices
  // Of tables that do not name it, such as CSV, or not how many pairs it had: the first that prints what they have.
  std::vector<std::string> benchmarks;
};

// Two nodes of which nothing is known: no latency, no capacity; all that a message costs is then the fabric's.
LogPlace unknown_cluster();

struct LogScenarios {
  std::vector<Scenario> scenarios;
  std::vector<std::string> notes; // on tables that were passed over, or that are not quite what the model means
  bool used_benchmark = false;    // whether a table needed one of the place's benchmarks
};

// Errors: the log has faults, or no table of a benchmark of two ranks that calibration can use.
Result<LogScenarios> read_log_scenarios(const std::string& file, const LogPlace& place);

} // namespace kakehashi
