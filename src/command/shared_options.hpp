// The options that several commands have in common, and what they mean.
#pragma once

#include "base/error.hpp"
#include "base/units.hpp"
#include "command/option.hpp"
#include "command/shell/streams.hpp"
#include "engine/options.hpp"
#include "input/scenario/edits.hpp"
#include "input/scenario/words.hpp"

#include <optional>
#include <string>
#include <vector>

namespace kakehashi {

struct PartsOut;
struct Report;
struct Scenario;

// SCENARIO, and the options that change it or take its place.
struct ScenarioArguments {
  std::vector<std::string> files;
  ScenarioWords words;
  std::string max_memory; // empty: most of what is free
};
OptionRows scenario_rows(ScenarioArguments& scenario, const std::string& meaning);

// --region, --from and --to, which choose a part of a recording.
OptionRows part_rows(ReplayPartWords& part);

// What they ask for. A scenario that they state alone is on the only fabric that joins its ranks, or of several on the
// only one that is for all scopes, or the first one if that will do. Errors: those of the words; several fabrics join
// the ranks, or none.
enum class FabricChoice { only_one, first };
Result<ScenarioEdits> edits_of(const ScenarioArguments& scenario, const Streams& streams,
                               FabricChoice choice = FabricChoice::only_one);

// The one scenario that a file, or the options alone, state. Errors: also that it takes too much memory.
Result<Scenario> scenario_of(const ScenarioArguments& options, const Streams& streams);

// A warning of devices with more ranks than cores, whose turns are not modelled; empty: there is none.
std::string crowded_devices(const Scenario& scenario);

// Warns of what is assumed about a recorded application, and of devices with more ranks than cores.
void tell_assumptions(const Scenario& scenario, const Streams& streams);

OptionRows memory_rows(std::string& stated);
// --max-memory as stated, or most of what is free. Errors: it is no size.
Result<Bytes> memory_limit(const std::string& stated);
// Nothing, or why the scenario is not begun: it takes too much memory.
Errors check_need(const Scenario& scenario, const std::string& stated_limit);

struct EngineArguments {
  std::string engine = "auto";
  double tolerance = 2;             // %
  bool whole = false;               // no rank stands for others
  std::optional<double> noise = {}; // %
};
OptionRows engine_rows(EngineArguments& engine);
EngineOptions engine_of(const EngineArguments& engine);

// --jobs, and what it means: one for each core if it is left out.
OptionRows jobs_row(int& jobs);
int jobs_of(int stated);

// --format, which may be one of these.
OptionRows format_row(std::string& format, std::vector<std::string> names);
// Writes it to standard output, in colour on a terminal.
void print_report(const Report& report, const std::string& format, const Streams& streams);
PartsOut parts_out(const Streams& streams);

} // namespace kakehashi
