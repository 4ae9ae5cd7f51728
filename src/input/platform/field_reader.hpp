// An object of a platform file that fits its schema → the value whose fields it states, by the value's table of fields.
#pragma once

#include "input/json/fields.hpp"
#include "model/platform_fields.hpp"

#include <map>
#include <set>

namespace kakehashi {

// The names and kinds that fields may refer to.
struct FieldContext {
  std::map<std::string, Bytes> thresholds; // message sizes by name
  std::set<DeviceKind> kinds;              // the kinds of endpoints that the platform has; each needs a value
};

// Reads a size as text, or as the name of a threshold.
std::optional<Bytes> size_of(const nlohmann::json& text, const FieldContext& context);

// Includes the claims, which are no plain field.
Source read_source(const nlohmann::json& object, const std::string& place, Faults& faults);

// Fields that are left out keep their values in `value`.
void read_object(const nlohmann::json& object, const std::string& place, const FieldContext& context, Faults& faults,
                 const Object& value);
template <class Owner>
Owner read_fields(const nlohmann::json& object, const std::string& place, const FieldContext& context, Faults& faults,
                  Owner value = {}) {
  read_object(object, place, context, faults, object_of(value));
  return value;
}

} // namespace kakehashi
