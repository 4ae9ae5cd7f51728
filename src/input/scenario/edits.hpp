// The words of a command line about a scenario → changes to its document and its platform's, before they are read. A
// program that has documents in its memory states them as well.
#pragma once

#include "base/error.hpp"
#include "input/json/json_document.hpp"
#include "input/scenario/words.hpp"

#include <map>
#include <string>
#include <vector>

namespace kakehashi {

// The beginning of a field's name that marks it as the platform's.
inline constexpr std::string_view platform_prefix = "platform:";

// A value for a place of the scenario's document, or of its platform's.
struct Edit {
  std::string option; // that asked for it
  bool is_in_platform = false;
  std::string pointer; // or names and words: "links[node0.cpu0-node0.cpu1].transfers"
  JsonValue value;
};

struct ScenarioEdits {
  std::string platform;  // a file that takes the place of the scenario's; empty: none
  std::string algorithm; // of the benchmark's collective operation; empty: as the scenario states it
  std::vector<Edit> fields;
  std::map<std::string, JsonDocument> documents; // by the names of the files that they stand for
};

// texts: JSON, by the name of the file that it stands for. Errors: a --set that is no FIELD=VALUE; a text that is no
// JSON.
Result<ScenarioEdits> edits_of(const ScenarioWords& words, const std::map<std::string, std::string>& texts = {});

// That which stands for the file, or else what is in the file.
Result<JsonDocument> document_of(const std::string& file, const ScenarioEdits& edits);

// The same, where "-" is standard input, which can be read once.
Result<JsonDocument> document_or_input(const std::string& file, const ScenarioEdits& edits);

// The JSON pointer of a field that is stated by names: links[node0.cpu0-node0.cpu1].transfers, networks[ib].link.lanes,
// fabrics.ib.rules[0].regimes[1].cap. A link of a node's template stands there for all such nodes. Errors: no such
// link.
Result<std::string> pointer_in(const JsonDocument& document, const std::string& field);

// Puts the values in; objects that are missing on the way to a place are made. Errors: a place that cannot be there.
Errors apply(const ScenarioEdits& edits, bool to_platform, JsonDocument& document);

// The algorithm goes where the scenario's benchmark wants it. Errors: that is no collective operation.
Errors apply_algorithm(const ScenarioEdits& edits, JsonDocument& scenario);

// What --set changed of the machine and its MPI library, as one would say it again: "platform:links[0].lanes=8".
std::vector<std::string> machine_changes(const ScenarioEdits& edits);

// The same errors, where those at a place that an option set name the option instead of the file.
Errors by_option(Errors errors, const ScenarioEdits& edits, const std::string& scenario_file,
                 const std::string& platform_file);

} // namespace kakehashi
