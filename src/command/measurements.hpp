// The files given to calibrate, and the places of their benchmarks → scenarios with measured curves.
#pragma once

#include "base/error.hpp"
#include "model/pairs_test.hpp"
#include "model/scenario.hpp"
#include "result/calibration.hpp"

namespace kakehashi {

struct MeasurementArguments {
  std::vector<std::string> files;
  std::vector<std::string> logs; // DISTANCE=FILE
  std::string platform;          // a file
  std::string fabric;
  std::vector<std::string> ranks;
  std::vector<std::string> benchmarks;
  std::string merge;             // the platform file that gets the values; empty: none
  std::vector<std::string> sets; // FIELD=VALUE of the platform
  std::vector<std::string> collectives{}; // NODESxRANKS[:ALGORITHM]=FILE
  std::string map_by{};                   // places the ranks of `collectives`; empty: by core
};

struct Measurements {
  std::vector<Scenario> scenarios;   // on one platform
  std::vector<PairsTest> pair_tests; // on the same platform
  std::vector<RuleSplit> splits;     // of its rules; the scenarios' platform includes these
  std::vector<std::string> notes;    // for the user, on the logs' contents
};

// Logs ran where --log states; otherwise on --ranks of --platform (or of --merge, without --platform); without any of
// these on a cluster that is unknown. Errors: those of the files; options that do not apply; a file that is given
// twice; more than one platform.
Result<Measurements> read_measurements(const MeasurementArguments& options);

} // namespace kakehashi
