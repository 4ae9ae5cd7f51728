// The options of all commands.
#pragma once

#include "command/report_file.hpp"
#include "command/shared_options.hpp"

#include <cstdint>

namespace kakehashi {

struct Options {
  std::vector<std::string> files;
  ScenarioArguments scenario;
  EngineArguments engine;
  ReportArguments report;
  std::string format = "table";
  std::string output;        // folder; empty: standard output
  bool sensitivity = false;  // validate
  bool faults_only = false;  // likewise
  std::optional<bool> large; // likewise
  std::string data;          // folder with platforms/ and scenarios/; empty: Kakehashi's own
  int jobs = 0;              // 0: as many as there are cores
  // simulate
  int repeat = 1;
  bool summary = false;
  bool stats = false;
  std::vector<std::string> timelines; // files
  std::size_t timeline_events = 0;    // at most
  // calibrate
  int most_regimes = 0; // 0: not stated
  std::optional<std::string> rendezvous;
  std::string platform_file;
  std::string fabric;
  std::vector<std::string> ranks;
  std::vector<std::string> benchmarks;
  std::vector<std::string> logs; // DISTANCE=FILE
  std::vector<int> adjustments;
  std::string merge;
  bool write = false;
  bool quiet = false;
  // compare
  std::vector<std::string> fabrics;
  std::vector<std::string> platforms;
  std::vector<std::string> device_map;
  std::string algorithms; // empty: fabrics are compared
  // explain
  std::string size;
  std::string from;
  std::string to;
  // sweep
  std::size_t shown = 10;
  std::string rankfile;
  std::string machinefile;
  std::string budget;
  std::string timeout;
  std::uint64_t seed = 1;
  bool prune = false;
  std::optional<bool> reasons;
  std::string results;
  bool resume = false;
  std::string shard;
  std::vector<std::string> merged;
  std::string shell; // completion
  // import
  bool this_machine = false;
  int nodes = 0; // 0: not stated
  std::string network;
  std::string name;
  std::string target = "simgrid"; // export
  // record
  bool overwrite = false;
  bool shows_environment = false;
  std::string counted = "time";
  std::string mpicc = "mpicc";
};

} // namespace kakehashi
