// Logs and curves that options name → scenarios with measured curves.
#pragma once

#include "base/error.hpp"
#include "command/shared_options.hpp"
#include "model/pairs_test.hpp"
#include "model/scenario.hpp"
#include "result/calibration.hpp"

namespace kakehashi {

// The files given to calibrate, and the places of their benchmarks → scenarios with measured curves.

struct MeasurementArguments {
  std::vector<std::string> files;
  std::vector<std::string> logs; // DISTANCE=FILE
  std::string platform;          // a file
  std::string fabric;
  std::vector<std::string> ranks;
  std::vector<std::string> benchmarks;
  std::string merge;                      // the platform file that gets the values; empty: none
  std::vector<std::string> sets;          // FIELD=VALUE of the platform
  std::vector<std::string> collectives{}; // NODESxRANKS[:ALGORITHM]=FILE
  std::string map_by{};                   // places the ranks of `collectives`; empty: by core
};

struct Measurements {
  std::vector<Scenario> scenarios;   // on one platform
  std::vector<PairsTest> pair_tests; // on the same platform
  std::vector<RuleSplit> splits;     // splits of the platform's rules; the scenarios' platform includes them
  std::vector<std::string> notes;    // notes for the user, on the logs' contents
};

// Logs ran where --log states; otherwise on --ranks of --platform (or of --merge, without --platform); without any of
// these on a cluster that is unknown. Errors: those of the files; options that do not apply; a file that is given
// twice; more than one platform.
Result<Measurements> read_measurements(const MeasurementArguments& options);

// Logs of collective operations, with the number of ranks → scenarios with measured curves.

// Finds faults of the options that do not depend on the files.
Errors check_collectives(const MeasurementArguments& options);

// Reads the logs, on the platform of --platform or --merge with this text in its place. Each table of a collective
// operation that has the stated number of ranks, or does not state it, gives a scenario. Errors: those of the files; a
// log has no such table, or one with too few sizes; the platform has no room for the ranks; there is no such algorithm.
Result<std::vector<Scenario>> read_collectives(const MeasurementArguments& options, const std::string& platform);

// Returns the file of --platform or --merge.
const std::string& platform_of(const MeasurementArguments& options);

// Logs to be explained, and the places of their ranks → scenarios with measured curves.

struct ExplainedLogs {
  std::vector<Scenario> scenarios; // on one platform and fabric
  std::vector<std::string> notes;  // notes for the user
  bool is_known = false;           // whether the platform is known
};

// Reads tests of two ranks, wherever they were; or, if options place the ranks of a whole job, each benchmark with that
// many ranks. `logs` are DISTANCE=FILE. Errors: those of the files; options that do not apply to logs.
Result<ExplainedLogs> read_explained_logs(const ScenarioArguments& options, const std::vector<std::string>& logs,
                                          const Streams& streams);

} // namespace kakehashi
