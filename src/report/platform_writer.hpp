// Values of a platform → the JSON objects that state them in a platform file, by the tables of fields.
#pragma once

#include "model/platform_fields.hpp"

#include <nlohmann/json.hpp>

namespace kakehashi {

using Json = nlohmann::ordered_json;

// The fields of any object that has a table: of a link without the data sheet, which has its own. What is as if it were
// left out is left out.
template <class Owner> Json fields_to_json(const Owner& owner);

// A regime's source is left out too: it stands once for all regimes of a rule.
Json to_json(const Regime& regime);
Json to_json(const Adjustment& adjustment);
Json to_json(const Source& source);

// Only what an adjustment adds. An object without any key would be none, so one that adds nothing states a factor of 1.
Json amounts_of(const Adjustment& adjustment);

} // namespace kakehashi
