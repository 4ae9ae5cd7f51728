// An object of a platform file that its schema allows → the value whose fields it states, by a table of fields.
#pragma once

#include "input/json/fields.hpp"
#include "model/platform_fields.hpp"

#include <map>
#include <set>

namespace kakehashi {

// What fields may refer to.
struct FieldContext {
  std::map<std::string, Bytes> thresholds; // message sizes by name
  std::set<DeviceKind> kinds;              // of endpoints that the platform has, each of which needs a value
};

// A size in text, or the name of a threshold.
std::optional<Bytes> size_of(const nlohmann::json& text, const FieldContext& context);

// Where a value stands, what it may refer to, and who takes its faults.
struct ValuePlace {
  const nlohmann::json& json;
  std::string pointer;
  const FieldContext& context;
  std::span<const std::string_view> words; // of an index, its names
  Faults& faults;
};

// What stands there; `value` stays as it is if that is a fault.
void read_value(const ValuePlace& place, Bytes& value);
void read_value(const ValuePlace& place, Seconds& value);
void read_value(const ValuePlace& place, BytesPerSecond& value);
void read_value(const ValuePlace& place, TransfersPerSecond& value);
void read_value(const ValuePlace& place, PerKind<Seconds>& value);
void read_value(const ValuePlace& place, PerKind<SecondsPerByte>& value);
void read_value(const ValuePlace& place, int& value);
void read_value(const ValuePlace& place, double& value);
void read_value(const ValuePlace& place, std::string& value);
void read_value(const ValuePlace& place, std::size_t& value);
void read_value(const ValuePlace& place, DeviceKind& value);
void read_value(const ValuePlace& place, MemoryAccess& value);
void read_value(const ValuePlace& place, Protocol& value);
void read_value(const ValuePlace& place, LinkType& value);
void read_value(const ValuePlace& place, Alignment& value);
void read_value(const ValuePlace& place, Source& value);
template <class T> void read_value(const ValuePlace& place, std::optional<T>& value) {
  T stated{};
  read_value(place, stated);
  value = stated;
}

// Fields that are left out stay as they are in `value`.
template <class Owner>
Owner read_fields(const nlohmann::json& object, const std::string& place, std::span<const Field<Owner>> fields,
                  const FieldContext& context, Faults& faults, Owner value = {}) {
  for (const auto& field : fields)
    if (const std::string name(field.name); object.contains(name)) {
      const ValuePlace there{object[name], pointer_to(place, name), context, field.words, faults};
      std::visit([&](auto member) { read_value(there, value.*member); }, field.member);
    }
  return value;
}

} // namespace kakehashi
