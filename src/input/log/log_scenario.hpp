// A job's log → a scenario for each of its tables that calibration can use, as if a user had written it.
#pragma once

#include "base/error.hpp"
#include "model/log.hpp"
#include "model/pairs_test.hpp"
#include "model/scenario.hpp"

namespace kakehashi {

// Where the benchmark ran, since a log does not tell.
struct LogPlace {
  std::shared_ptr<const Platform> platform;
  std::string fabric;
  std::vector<std::size_t> ranks; // two devices
  // Of tables that do not name it, such as CSV, or not how many pairs it had: the first that prints what they have.
  std::vector<std::string> benchmarks;
  std::optional<std::uint64_t> pairs{}; // of osu-multi_lat, which does not state them
  bool is_stated = true;              // by the user; else two ranks that may be anywhere are taken to be on two nodes
};

// Two nodes of two sockets of which nothing is known: no latency, no capacity; all that a message costs is then the
// fabric's, which has a rule for each scope. The ranks are on two nodes.
LogPlace unknown_cluster();

struct LogScenarios {
  std::vector<Scenario> scenarios;
  std::vector<PairsTest> pair_tests; // of those tables that several pairs of ranks ran
  std::vector<std::string> notes;   // on tables that were passed over, or that are not quite what the model means
  bool used_benchmark = false;      // whether a table needed one of the place's benchmarks
};

// A table of one pair's osu-mbw_mr is both a scenario and a test of pairs. Errors: the log has faults, or no table of a
// benchmark that calibration can use.
Result<LogScenarios> read_log_scenarios(const std::string& file, const LogPlace& place);

} // namespace kakehashi
