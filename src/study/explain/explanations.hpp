// A scenario → why its run takes its time: the parameters that matter, their reasons, and what noise and changes do.
#pragma once

#include "model/platform_fields.hpp"
#include "model/scenario.hpp"
#include "result/explanation.hpp"
#include "result/summary.hpp"
#include "study/pool/pool.hpp"
#include "study/run/scenario_run.hpp"
#include "transport/path.hpp"

#include <functional>
#include <map>

namespace kakehashi {

// A way → the numbers of the platform on which its messages may depend, each of which can become better or worse.
struct Scenario;

struct Parameter {
  std::string place; // JSON pointer in the platform file; for links, their common name
  std::string what;
  Better better = Better::neither;
  std::vector<Source> sources; // similar links that are one parameter may have several, or none
  std::function<void(Platform&, double factor)> scale;

  std::string name() const { return place + " " + what; }
};

// Makes it better by that share: a time shorter, a rate higher.
void improve(const Parameter& parameter, Platform& platform, double share);

// Leaves out numbers that are zero or not stated.
std::vector<Parameter> parameters_of(const Platform& platform, const std::vector<const Way*>& ways);

// Returns the costs of the library's own work, usual or stated: the time to add vectors first, then those of copies.
inline constexpr const char* library_place = "/mpi";
std::vector<Parameter> library_parameters_of(const MpiSettings& settings);

// Returns the sizes at which regimes change. They have no better direction. Regimes may vanish, but only neighbours
// change.
std::vector<Parameter> thresholds_of(const Platform& platform, const std::vector<const Way*>& ways);

// Returns the numbers in the MPI library's decision tables that matter for a scenario's benchmark: if one is halved or
// doubled, all ranks together use another algorithm at one of the sizes.
inline constexpr const char* tables_place = "/mpi/collectives";
std::vector<Parameter> table_numbers_of(const Scenario& scenario);

// A run → the main part of its time, from its critical path.

// Returns the kind of step with most of the critical path: computing, the cores' work for messages, or a phase of
// messages under way. For the first two it names the rank, if most of the time is at one rank; for flows it names their
// limit. `devices` are the names of the ranks' devices.
Reason main_reason(const RunSummary& summary, std::span<const std::string> devices);

struct ReasonedRun {
  RunRecord record;
  Reason reason;
};
Result<ReasonedRun> run_with_reason(const Scenario& scenario, const EngineOptions& engine = {});

// A scenario → the numbers of its platform on which its run may depend, and the run with some of them scaled.

using Parameters = std::map<std::string, Parameter>; // parameters by name
struct Change {
  const Parameter* parameter = nullptr;
  double factor = 1;
};

// Includes the sizes at which regimes change, the cost of reductions, and the numbers of decision tables.
Result<Parameters> parameters_of(const Scenario& scenario);
Scenario changed(const Scenario& scenario, const std::vector<Change>& changes);

// Whether both scenarios have the same figures, whatever their names are.
bool is_same_run(const Scenario& a, const Scenario& b);
// Whether `run` is one size of the scenario's benchmark, on the same fabric.
bool is_one_size_of(const Scenario& run, const Scenario& scenario);

// A scenario → why one of its messages, or the whole run, takes its time.

// Explains a message between two devices on the scenario's fabric, with nothing else on the machine.
Result<MessageExplanation> explain_message(const Scenario& scenario, std::size_t from, std::size_t to, Bytes size,
                                           int jobs, const StudyProgress& progress);

// Explains the whole scenario.
Result<RunExplanation> explain_run(const Scenario& scenario, const RunPlan& plan, int jobs,
                                   const StudyProgress& progress);

// Returns a scenario in which one message goes from one device to another.
Scenario one_message(const Scenario& like, std::size_t from, std::size_t to, Bytes size);

// Returns where a device on a path reads or writes the memory of a device on another socket, at a rate of its own.
std::vector<Crossing> crossings_of(const Path& path, const Platform& platform);

} // namespace kakehashi
