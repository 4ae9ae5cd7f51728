// Options that several commands share, and their meaning.
#pragma once

#include "base/error.hpp"
#include "base/units.hpp"
#include "command/option.hpp"
#include "command/shell/terminal.hpp"
#include "engine/options.hpp"
#include "input/scenario/edits.hpp"
#include "input/scenario/scenario_parts.hpp"

#include <optional>
#include <string>
#include <vector>

namespace kakehashi {

struct Need;
struct PartsOut;
struct PlannedScenario;
struct Report;
struct Scenario;

// SCENARIO, and the options that change or replace it.
struct ScenarioArguments {
  std::vector<std::string> files;
  ScenarioWords words;
  std::string max_memory; // empty: most of the free memory
};
OptionRows scenario_rows(ScenarioArguments& scenario, const std::string& meaning);

// --region, --from and --to, which select a part of a recording.
OptionRows part_rows(ReplayPartWords& part);

// Returns the edits that the options ask for. If the options alone state a scenario, it is on the only fabric that
// joins its ranks; of several, on the only one for all scopes, or on the first one if that is enough. Errors: those of
// the words; several fabrics join the ranks, or none does.
enum class FabricChoice { only_one, first };
Result<ScenarioEdits> edits_of(const ScenarioArguments& scenario, const Streams& streams,
                               FabricChoice choice = FabricChoice::only_one);

// Returns the one scenario that a file, or the options alone, state, and the plan of its run. Errors: also if it needs
// too much memory.
Result<PlannedScenario> planned_scenario_of(const ScenarioArguments& options, const Streams& streams);
// The scenario alone, for who does not run it as it is.
Result<Scenario> scenario_of(const ScenarioArguments& options, const Streams& streams);

// Returns a warning of devices with more ranks than cores, whose turns are not modelled; empty: there is none.
std::string crowded_devices(const Scenario& scenario);

// Warns of assumptions about a recorded application, and of devices with more ranks than cores.
void tell_assumptions(const Scenario& scenario, const Streams& streams);

OptionRows memory_rows(std::string& stated);
// Returns --max-memory, or most of the free memory. Errors: it is no size.
Result<Bytes> memory_limit(const std::string& stated);
// Returns an error if the scenario needs too much memory to be begun.
Errors check_need(const Scenario& scenario, const Need& need, const std::string& stated_limit);

struct EngineArguments {
  std::string engine = "auto";
  double tolerance = 2;             // %
  bool whole = false;               // no rank stands for others
  std::optional<double> noise = {}; // %
};
OptionRows engine_rows(EngineArguments& engine);
EngineOptions engine_of(const EngineArguments& engine);

// --jobs and its meaning: one job for each core if it is left out.
OptionRows jobs_row(int& jobs);
int jobs_of(int stated);

// --format, with these names.
OptionRows format_row(std::string& format, std::vector<std::string> names);
// Writes the report to standard output, in colour on a terminal.
void print_report(const Report& report, const std::string& format, const Streams& streams);
PartsOut parts_out(const Streams& streams);

} // namespace kakehashi
