// A JSON document and one of the published JSON Schemas → what in the document does not fit the schema.
#pragma once

#include "base/error.hpp"
#include "input/json/json_document.hpp"

#include <string_view>

namespace kakehashi {

// The schemas, compiled into the program (CMake writes their definitions from the files).
extern const std::string_view platform_schema_text; // platforms/platform.schema.json
extern const std::string_view scenario_schema_text; // scenarios/scenario.schema.json

// All faults, in document order. Formats of quantities are checked when these are read.
Errors check_schema(const JsonDocument& document, std::string_view schema_text);

} // namespace kakehashi
