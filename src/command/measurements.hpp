// The files that calibrate is given, and where their benchmarks ran → scenarios with measured curves.
#pragma once

#include "base/error.hpp"
#include "model/pairs_test.hpp"
#include "model/scenario.hpp"
#include "result/calibration.hpp"

namespace kakehashi {

struct MeasurementArguments {
  std::vector<std::string> files;
  std::vector<std::string> logs; // DISTANCE=FILE
  std::string platform;          // file
  std::string fabric;
  std::vector<std::string> ranks;
  std::vector<std::string> benchmarks;
  std::string merge;             // the platform file into which it goes; empty: none
  std::vector<std::string> sets; // FIELD=VALUE of the platform
  std::vector<std::string> collectives{}; // NODESxRANKS[:ALGORITHM]=FILE
  std::string map_by{};                   // of their ranks; empty: by core
};

struct Measurements {
  std::vector<Scenario> scenarios;   // of one platform
  std::vector<PairsTest> pair_tests; // of that platform
  std::vector<RuleSplit> splits;     // of its rules, which the scenarios' platform has already
  std::vector<std::string> notes;    // for the user, on what the logs hold
};

// Logs ran where --log states, else on --ranks of --platform, which is that of --merge if left out; without either on a
// cluster of which nothing is known. Errors: those of the files; options that do not apply; a file twice; more than one
// platform.
Result<Measurements> read_measurements(const MeasurementArguments& options);

} // namespace kakehashi
