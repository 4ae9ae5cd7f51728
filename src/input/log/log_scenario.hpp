// A job's log → a scenario for each of its tables that calibration can use, as if a user had written it.
#pragma once

#include "base/error.hpp"
#include "model/log.hpp"
#include "model/pairs_test.hpp"
#include "model/scenario.hpp"

namespace kakehashi {

// Where the benchmark ran, which a log does not state.
struct LogPlace {
  std::shared_ptr<const Platform> platform;
  std::string fabric;
  std::vector<std::size_t> ranks; // two devices
  // For tables that do not state their benchmark (such as CSV) or its number of pairs: the first benchmark that prints
  // their columns.
  std::vector<std::string> benchmarks;
  std::optional<std::uint64_t> pairs{}; // number of pairs of osu-multi_lat, which does not print it
  bool is_stated = true; // the user stated it; otherwise two ranks that may be anywhere count as on two nodes
};

// A cluster of two nodes with two sockets whose links have no latency and no capacity. The fabric, which has a rule for
// each scope, then bears the whole cost of a message. The ranks are on two nodes.
LogPlace unknown_cluster();

struct LogScenarios {
  std::vector<Scenario> scenarios;
  std::vector<PairsTest> pair_tests; // the tables that several pairs of ranks ran
  std::vector<std::string> notes;    // on tables that were skipped, or that differ a little from what the model means
  bool used_benchmark = false;       // a table needed one of the place's benchmarks
};

// A table of osu-mbw_mr with one pair is both a scenario and a test of pairs. Errors: the log has faults, or no table
// that calibration can use.
Result<LogScenarios> read_log_scenarios(const std::string& file, const LogPlace& place);

} // namespace kakehashi
