// A scenario file, with the platform and the measured curve that it names → Scenario, or all of their faults.
#pragma once

#include "base/error.hpp"
#include "input/json/json_document.hpp"
#include "input/scenario/edits.hpp"
#include "model/scenario.hpp"

namespace kakehashi {

// "-" is standard input, and no file a scenario that the edits state alone; a folder is a recording that such a one
// replays.
Result<Scenario> read_scenario(const std::string& file, const ScenarioEdits& edits = {});

// Whether it is a file that is not named and does not begin as JSON is, and so no scenario.
bool is_log(const std::string& file);

// Of the platform that the edits state, the fabrics that a scenario may be on: not those that only are stages.
Result<std::vector<std::string>> fabrics_to_choose(const ScenarioEdits& edits);

// The documents with the edits in them. The scenario's fits the schema; the platform's may not.
struct ScenarioDocuments {
  JsonDocument scenario;
  Result<JsonDocument> platform;
  std::string without_reference = {};         // as in Scenario
  std::optional<JsonValue> ranks_before = {}; // of a scenario with a reference, if an edit states others
};
Result<ScenarioDocuments> read_documents(const std::string& file, const ScenarioEdits& edits);
Result<Scenario> scenario_in(const ScenarioDocuments& documents, const ScenarioEdits& edits);

// A platform's file with what the edits say of it.
Result<Platform> read_platform(const std::string& file, const ScenarioEdits& edits);

// Another platform and one of its fabrics take the place of those that the scenario names, and these of its devices,
// by name, that of the ranks' devices.
Result<Scenario> read_scenario_on(const std::string& file, const ScenarioEdits& edits,
                                  std::shared_ptr<const Platform> platform, const std::string& fabric,
                                  const std::vector<std::string>& devices);

// A document that fits the schema of scenarios, on a platform, or with the faults of that. other_ranks: the devices of
// the ranks, by name, that take the place of the document's.
Result<Scenario> scenario_of(const JsonDocument& document, const Result<std::shared_ptr<const Platform>>& platform,
                             const std::optional<std::vector<std::string>>& other_ranks = {});

} // namespace kakehashi
