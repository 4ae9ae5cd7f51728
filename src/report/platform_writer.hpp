// Values of a platform → the JSON objects that state them in a platform file, by the tables of fields.
#pragma once

#include "model/platform_fields.hpp"

#include <nlohmann/json_fwd.hpp>

namespace kakehashi {

using Json = nlohmann::ordered_json;

// The fields of any object that has a table: of a link without the data sheet, which has its own. Fields
// that have what stands for a field that is left out are left out.
Json fields_to_json(const Object& object);
template <class Owner> auto fields_to_json(Owner owner) {
  return fields_to_json(object_of(owner));
}

// A regime's source is left out too: it stands once for all regimes of a rule.
Json to_json(const Regime& regime);
Json to_json(const Adjustment& adjustment);
Json to_json(const Source& source); // cut to what a file may state

// The source of an object whose number `field` now comes from some logs, before what it has said of the others.
Json source_with(const Json& object, const std::string& field, const std::string& from);

// Only what an adjustment adds. An object without any key would be none, so one that adds nothing states a factor of 1.
Json amounts_of(const Adjustment& adjustment);

} // namespace kakehashi
