// A job's log → a scenario for each of its tables that calibration can use, as if a user had written it.
#pragma once

#include "base/error.hpp"
#include "spec/log.hpp"
#include "spec/scenario.hpp"

namespace kakehashi {

// Where the benchmark ran, since a log does not tell.
struct LogPlace {
  std::shared_ptr<const Platform> platform;
  std::string fabric;
  std::vector<std::size_t> ranks; // two devices
  std::string benchmark;          // of tables that do not name it, such as CSV; empty: unknown
};

// Two nodes of which nothing is known: no latency, no capacity; all that a message costs is then the fabric's.
LogPlace unknown_cluster();

// Errors: the log has faults, or no table of a benchmark that calibration can use.
Result<std::vector<Scenario>> read_log_scenarios(const std::string& file, const LogPlace& place);

} // namespace kakehashi
