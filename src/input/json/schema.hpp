// A JSON document and one of the published JSON Schemas → the faults by which the document does not fit the schema.
#pragma once

#include "base/error.hpp"
#include "input/json/json_document.hpp"

#include <string_view>

namespace kakehashi {

// The schemas, which are compiled into the program. CMake writes their definitions from the files.
extern const std::string_view platform_schema_text;  // platforms/platform.schema.json
extern const std::string_view scenario_schema_text;  // scenarios/scenario.schema.json
extern const std::string_view node_schema_text;      // nodes/node.schema.json
extern const std::string_view model_schema_text;     // models/model.schema.json
extern const std::string_view algorithm_schema_text; // libraries/collectives/algorithm.schema.json

// Returns all faults in document order. The forms of quantities are checked later, when they are read.
Errors check_schema(const JsonDocument& document, std::string_view schema_text);

} // namespace kakehashi
