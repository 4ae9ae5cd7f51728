// A scenario file, with the platform and the measured curve that it names → a Scenario, or all faults.
#pragma once

#include "base/error.hpp"
#include "input/json/json_document.hpp"
#include "input/scenario/edits.hpp"
#include "model/scenario.hpp"
#include "model/sweep.hpp"

#include <variant>

namespace kakehashi {

// "-" is standard input. Without a file, the edits alone state the scenario; a folder is a recording that such a
// scenario replays.
Result<Scenario> read_scenario(const std::string& file, const ScenarioEdits& edits = {});

// Whether it is a regular file that is not named and does not begin like JSON, and therefore no scenario.
bool is_log(const std::string& file);

// Returns the fabrics, of the platform that the edits state, that a scenario can run on; fabrics that only are stages
// are left out.
Result<std::vector<std::string>> fabrics_to_choose(const ScenarioEdits& edits);

// The documents after the edits. The scenario's fits the schema; the platform's may not.
struct ScenarioDocuments {
  JsonDocument scenario;
  Result<JsonDocument> platform;
  std::string without_reference = {};         // as in Scenario
  std::optional<JsonValue> ranks_before = {}; // the ranks of a scenario with a reference, if an edit states other ranks
};
Result<ScenarioDocuments> read_documents(const std::string& file, const ScenarioEdits& edits);
Result<Scenario> scenario_in(const ScenarioDocuments& documents, const ScenarioEdits& edits);

// Reads a platform's file with the edits applied.
Result<Platform> read_platform(const std::string& file, const ScenarioEdits& edits);

// Reads a scenario with another platform, fabric and devices (by name) in place of those that it names.
Result<Scenario> read_scenario_on(const std::string& file, const ScenarioEdits& edits,
                                  std::shared_ptr<const Platform> platform, const std::string& fabric,
                                  const std::vector<std::string>& devices);

// Reads a document that fits the schema of scenarios, for a platform or the platform's faults. `other_ranks`: names of
// devices that replace those of the document's ranks.
Result<Scenario> scenario_of(const JsonDocument& document, const Result<std::shared_ptr<const Platform>>& platform,
                             const std::optional<std::vector<std::string>>& other_ranks = {});

// A file of either kind → a Platform or a Scenario, or all of its faults.

// The key "fabrics" or "workload" shows which kind of file it is. The variants of a sweep are checked, too.
Result<std::variant<Platform, Scenario>> read_any(const std::string& file, const ScenarioEdits& edits = {});

// A scenario with the key "sweep" → all of its variants, expanded and checked.

// Errors: those of the scenario, of what varies, and of every value that makes the scenario or its platform wrong.
// Without the key the order of ranks varies, if the edits alone state the scenario or `is_usual`.
Result<Sweep> read_sweep(const std::string& file, const ScenarioEdits& edits = {}, bool is_usual = false);

} // namespace kakehashi
