// The subcommands of kakehashi: name, purpose, examples and function.
#pragma once

#include "base/error.hpp"
#include "command/option.hpp"
#include "engine/options.hpp"
#include "input/scenario/words.hpp"
#include "study/run/progress.hpp"

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kakehashi {

struct Page;

// Results go to out, everything else to err. Who calls a command from a program of its own may give and want more as
// values.
struct Streams {
  std::ostream& out;
  std::ostream& err;
  std::size_t columns = 0;                    // of the terminal that tables are shown on, in colour; 0: there is none
  Errors* faults = nullptr;                   // instead of lines on err
  StudyProgress progress = {};                // instead of a line on a terminal
  std::function<void(const Page&)> page = {}; // that of --report, whether or not it is written, too
  std::map<std::string, std::string> texts = {}; // JSON, by the name of the file that it stands for among the words
};

struct Options {
  std::vector<std::string> files;
  ScenarioWords scenario; // what options state of it
  std::string format = "table";
  std::string output;        // folder; empty: standard output
  bool sensitivity = false;  // validate
  bool faults_only = false;  // likewise
  std::optional<bool> large; // likewise
  std::string data;          // folder with platforms/ and scenarios/; empty: Kakehashi's own
  int jobs = 0;              // 0: as many as there are cores
  std::string engine = "auto";
  double tolerance = 2;   // %
  bool whole = false;     // no rank stands for others
  std::string max_memory; // empty: most of what is free
  std::string report;     // files; empty: none
  std::string plot;
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

// A command, ready for the words of one command line: its rows lead to where those go, and then it runs. The places are
// `run`'s, and end with it.
struct Invocation {
  OptionRows rows;
  std::function<int(const Streams&)> run; // → the exit code
};

struct Command {
  std::string_view name;
  std::string_view purpose;
  std::string_view examples;
  std::function<Invocation()> begin;
};

// What a command begins with, whose options are members of a struct of its own.
template <class Options>
std::function<Invocation()> takes(OptionRows (*rows)(Options&), int (*run)(const Options&, const Streams&)) {
  return [=] {
    const auto options = std::make_shared<Options>();
    return Invocation{joined({{help_row()}, rows(*options)}),
                      [=](const Streams& streams) { return run(*options, streams); }};
  };
}

std::span<const Command> commands();

// The subcommands, a file each.
extern const Command simulate_command;
extern const Command check_command;
extern const Command record_command;
extern const Command list_command;
extern const Command import_command;
extern const Command export_command;
extern const Command validate_command;
extern const Command calibrate_command;
extern const Command explain_command;
extern const Command compare_command;
extern const Command sweep_command;
extern const Command completion_command;
extern const Command man_command;

// Parses the words after the program's name and runs the subcommand. Returns the exit code.
int run_command_line(const std::vector<std::string>& words, const Streams& streams);

// --jobs, and what it means: one for each core if it is left out.
OptionRow jobs_row(int& jobs);
int jobs_of(const Options& options);
// --format, which may be one of these.
OptionRow format_row(std::string& format, std::vector<std::string> names);
// SCENARIO, and the options that change it or take its place; without those of platform and fabric, if a command has
// its own.
enum class ScenarioOptions { all, all_but_place };
OptionRows scenario_rows(Options& options, const std::string& meaning, ScenarioOptions which = ScenarioOptions::all);
// --engine, --tolerance and --whole.
OptionRows engine_rows(Options& options);
EngineOptions engine_of(const Options& options);

// Prints every error on a line of its own and returns the exit code that they call for.
int report_errors(const Errors& errors, const Streams& streams);

} // namespace kakehashi
