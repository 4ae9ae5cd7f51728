#include "input/platform/field_reader.hpp"

#include "input/json/per_kind.hpp"
#include "input/platform/source_reader.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace kakehashi {
namespace {

using nlohmann::json;

template <class T> void read_text(const ValuePlace& place, T& value) {
  value = read_quantity(place.json, place.pointer, form_of<T>, place.faults).value_or(value);
}

template <class E, std::size_t N>
void read_word(const ValuePlace& place, const std::array<std::string_view, N>& names, E& value) {
  value = *from_name<E>(names, place.json.get<std::string>()); // the schema has checked it
}

// Every kind of endpoint that the platform has needs a value.
template <class T> void read_for_endpoints(const ValuePlace& place, PerKind<T>& value) {
  if (place.json.is_object() && !place.json.contains("any"))
    for (const auto kind : place.context.kinds)
      if (const std::string name(name_of(device_kind_names, kind)); !place.json.contains(name))
        place.faults.add(
            place.pointer,
            fmt::format("the key {} is missing, and so is \"any\"; the platform has such endpoints", in_quotes(name)));
  value = read_per_kind(place.json, place.pointer, form_of<T>, place.faults);
}

} // namespace

std::optional<Bytes> size_of(const json& text, const FieldContext& context) {
  const auto named = context.thresholds.find(text.get<std::string>());
  return named != context.thresholds.end() ? named->second : parse_bytes(text.get<std::string>());
}

void read_value(const ValuePlace& place, Bytes& value) {
  const auto size = size_of(place.json, place.context);
  std::vector<std::string> names;
  for (const auto& [name, threshold] : place.context.thresholds)
    names.push_back(name);
  if (size)
    value = *size;
  else
    place.faults.add(
        place.pointer,
        mismatch(show(place.json),
                 std::string(bytes_form) + (names.empty() ? "" : ", or the name of a threshold of the fabric")),
        closest(place.json.get<std::string>(), names));
}

void read_value(const ValuePlace& place, Seconds& value) {
  read_text(place, value);
}
void read_value(const ValuePlace& place, BytesPerSecond& value) {
  read_text(place, value);
}
void read_value(const ValuePlace& place, TransfersPerSecond& value) {
  read_text(place, value);
}
void read_value(const ValuePlace& place, PerKind<Seconds>& value) {
  read_for_endpoints(place, value);
}
void read_value(const ValuePlace& place, PerKind<SecondsPerByte>& value) {
  read_for_endpoints(place, value);
}

void read_value(const ValuePlace& place, int& value) {
  place.json.get_to(value);
}
void read_value(const ValuePlace& place, double& value) {
  place.json.get_to(value);
}
void read_value(const ValuePlace& place, std::string& value) {
  place.json.get_to(value);
}
void read_value(const ValuePlace& place, std::size_t& value) {
  const auto found = std::find(place.words.begin(), place.words.end(), place.json.get<std::string>());
  value = static_cast<std::size_t>(found - place.words.begin()); // the schema has checked the word
}

void read_value(const ValuePlace& place, DeviceKind& value) {
  read_word(place, device_kind_names, value);
}
void read_value(const ValuePlace& place, MemoryAccess& value) {
  read_word(place, memory_access_names, value);
}
void read_value(const ValuePlace& place, Protocol& value) {
  read_word(place, protocol_names, value);
}
void read_value(const ValuePlace& place, LinkType& value) {
  value = *find_link_type(place.json.get<std::string>());
}

void read_value(const ValuePlace& place, Alignment& value) {
  value = read_fields(place.json, place.pointer, alignment_fields(), {}, place.faults, value);
  if (value.multiple.count == 0)
    place.faults.add(place.pointer + "/multiple", mismatch(show(place.json["multiple"]), "at least 1 B"));
}
void read_value(const ValuePlace& place, Source& value) {
  value = source_of(place.json);
}

} // namespace kakehashi
