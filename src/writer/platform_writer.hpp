// Values of a platform → the JSON objects that state them in a platform file, by the tables of fields.
#pragma once

#include "model/platform_fields.hpp"

#include <nlohmann/json_fwd.hpp>

namespace kakehashi {

using Json = nlohmann::ordered_json;

// Writes the fields of any object with a table; of a link without the data sheet, which has a table of its own. A field
// whose value is the one it has when left out is left out.
Json fields_to_json(const Object& object);
template <class Owner> auto fields_to_json(Owner owner) {
  return fields_to_json(object_of(owner));
}

// Leaves out the regime's source, which is written once for all regimes of a rule.
Json to_json(const Regime& regime);
Json to_json(const Adjustment& adjustment);
Json to_json(const Source& source); // cut to the length that a file may have

// Returns the source of an object whose field `field` now comes from logs; the old source of its other fields follows.
Json source_with(const Json& object, const std::string& field, const std::string& from);

// Writes only what an adjustment adds. One that adds nothing gets a factor of 1, since an object needs a key.
Json amounts_of(const Adjustment& adjustment);

} // namespace kakehashi
