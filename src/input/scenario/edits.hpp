// The words of a command line about a scenario → changes to the documents of the scenario and its platform, before
// these are read. A program with documents in memory states them here as well.
#pragma once

#include "base/error.hpp"
#include "input/json/json_document.hpp"
#include "input/scenario/scenario_parts.hpp"

#include <map>
#include <string>
#include <vector>

namespace kakehashi {

// Fields that begin with this are the platform's.
inline constexpr std::string_view platform_prefix = "platform:";

// A value for a place in the document of the scenario or of its platform.
struct Edit {
  std::string option; // the option that asked for it
  bool is_in_platform = false;
  std::string pointer; // may have names and words: "links[node0.cpu0-node0.cpu1].transfers"
  JsonValue value;
};

struct ScenarioEdits {
  std::string platform;  // a file that replaces the scenario's platform; empty: none
  std::string algorithm; // the algorithm of the benchmark's collective operation; empty: as the scenario states
  std::vector<Edit> fields;
  std::map<std::string, JsonDocument> documents; // documents by the name of the file that each replaces
};

// `texts` are JSON, by the name of the file that each replaces. Errors: a --set is no FIELD=VALUE; a text is no JSON.
Result<ScenarioEdits> edits_of(const ScenarioWords& words, const std::map<std::string, std::string>& texts = {});

// Returns the document that replaces the file, or else the file's.
Result<JsonDocument> document_of(const std::string& file, const ScenarioEdits& edits);

// The same, but "-" is standard input, which can be read once.
Result<JsonDocument> document_or_input(const std::string& file, const ScenarioEdits& edits);

// Returns the JSON pointer of a field that is stated by names: links[node0.cpu0-node0.cpu1].transfers,
// networks[ib].link.lanes, fabrics.ib.rules[0].regimes[1].cap. A link of a template stands for the link in all nodes of
// that template. Errors: there is no such link.
Result<std::string> pointer_in(const JsonDocument& document, const std::string& field);

// Inserts the values and creates missing objects on the way to them. Errors: a place cannot exist.
Errors apply(const ScenarioEdits& edits, bool to_platform, JsonDocument& document);

// Inserts the algorithm where the scenario's benchmark expects it. Errors: the benchmark is no collective operation.
Errors apply_algorithm(const ScenarioEdits& edits, JsonDocument& scenario);

// Returns the changes of --set to the machine and its MPI library, as one would state them:
// "platform:links[0].lanes=8".
std::vector<std::string> machine_changes(const ScenarioEdits& edits);

// Returns the errors; those at a place that an option set name the option instead of the file.
Errors by_option(Errors errors, const ScenarioEdits& edits, const std::string& scenario_file,
                 const std::string& platform_file);

} // namespace kakehashi
