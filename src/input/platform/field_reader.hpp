// An object of a platform file that its schema allows → the value whose fields it states, by their table.
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
  bool is_positive;                        // of a size
  Faults& faults;
};

// Which of the words stands there; the schema has checked that one does.
std::size_t index_of(const ValuePlace& place, std::span<const std::string_view> words);

// What stands there; `value` stays as it is if that is a fault.
void read_value(const ValuePlace& place, Bytes& value);
void read_value(const ValuePlace& place, Seconds& value);
void read_value(const ValuePlace& place, BytesPerSecond& value);
void read_value(const ValuePlace& place, SecondsPerByte& value);
void read_value(const ValuePlace& place, TransfersPerSecond& value);
void read_value(const ValuePlace& place, Capacity& value);
void read_value(const ValuePlace& place, PerKind<Seconds>& value);
void read_value(const ValuePlace& place, PerKind<SecondsPerByte>& value);
void read_value(const ValuePlace& place, int& value);
void read_value(const ValuePlace& place, double& value);
void read_value(const ValuePlace& place, bool& value);
void read_value(const ValuePlace& place, std::string& value);
void read_value(const ValuePlace& place, std::size_t& value);
void read_value(const ValuePlace& place, std::array<DeviceKind, 2>& value);
void read_value(const ValuePlace& place, LinkType& value);
void read_value(const ValuePlace& place, StageEnd& value);
void read_value(const ValuePlace& place, Alignment& value);
void read_value(const ValuePlace& place, Memory& value);
void read_value(const ValuePlace& place, Source& value);
template <Enumeration Enum> void read_value(const ValuePlace& place, Enum& value) {
  value = static_cast<Enum>(index_of(place, words_of<Enum>));
}
template <class T> void read_value(const ValuePlace& place, std::optional<T>& value) {
  T stated{};
  read_value(place, stated);
  value = stated;
}

// With the claims, which are no plain field.
Source read_source(const nlohmann::json& object, const std::string& place, Faults& faults);

// Fields that are left out stay as they are in `value`.
template <class Owner>
Owner read_fields(const nlohmann::json& object, const std::string& place, const FieldContext& context, Faults& faults,
                  Owner value = {}) {
  for (const auto& field : fields_of<Owner>())
    if (const std::string name(field.name); object.contains(name)) {
      const ValuePlace there{object[name], pointer_to(place, name), context, field.words, field.is_positive, faults};
      std::visit([&](auto member) { read_value(there, value.*member); }, field.member);
    }
  return value;
}

} // namespace kakehashi
