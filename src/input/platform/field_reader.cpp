#include "input/platform/field_reader.hpp"

#include "input/json/per_kind.hpp"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>

namespace kakehashi {
namespace {

using nlohmann::json;

template <class T> void read_text(const ValuePlace& place, T& value) {
  value = read_quantity(place.json, place.pointer, form_of<T>, place.faults).value_or(value);
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

std::size_t index_of(const ValuePlace& place, std::span<const std::string_view> words) {
  const auto found = std::find(words.begin(), words.end(), place.json.get<std::string>());
  assert(found != words.end());
  return static_cast<std::size_t>(found - words.begin());
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
  if (size && size->count == 0 && place.is_positive)
    place.faults.add(place.pointer, mismatch(show(place.json), "at least 1 B"));
}

void read_value(const ValuePlace& place, Seconds& value) {
  read_text(place, value);
}
void read_value(const ValuePlace& place, BytesPerSecond& value) {
  read_text(place, value);
}
void read_value(const ValuePlace& place, SecondsPerByte& value) {
  read_text(place, value);
}
void read_value(const ValuePlace& place, TransfersPerSecond& value) {
  read_text(place, value);
}
void read_value(const ValuePlace& place, Capacity& value) {
  if (place.json.is_object()) {
    value = read_fields(place.json, place.pointer, place.context, place.faults, value);
    return;
  }
  BytesPerSecond both;
  read_text(place, both);
  value = both;
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
void read_value(const ValuePlace& place, bool& value) {
  place.json.get_to(value);
}
void read_value(const ValuePlace& place, std::string& value) {
  place.json.get_to(value);
}
void read_value(const ValuePlace& place, std::size_t& value) {
  value = index_of(place, place.words);
}

void read_value(const ValuePlace& place, std::array<DeviceKind, 2>& value) {
  for (std::size_t i = 0; i < value.size(); ++i)
    value[i] = *from_name<DeviceKind>(device_kind_names, place.json[i].get<std::string>());
}
void read_value(const ValuePlace& place, LinkType& value) {
  value = *find_link_type(place.json.get<std::string>());
}

// "sender", or "sender.cpu0".
void read_value(const ValuePlace& place, StageEnd& value) {
  const auto text = place.json.get<std::string>();
  const auto dot = std::min(text.find('.'), text.size());
  const auto side = from_name<Side>(side_names, text.substr(0, dot));
  if (!side || dot + 1 == text.size())
    place.faults.add(place.pointer, mismatch(show(place.json),
                                             "sender, receiver, or a device of their nodes such as \"sender.cpu0\""));
  value = {side.value_or(Side::sender), dot < text.size() ? text.substr(dot + 1) : ""};
}

void read_value(const ValuePlace& place, Alignment& value) {
  value = read_fields(place.json, place.pointer, {}, place.faults, value);
}

void read_value(const ValuePlace& place, Memory& value) {
  value = read_fields(place.json, place.pointer, {}, place.faults, value);
  if (!value.bandwidth && !(value.channels && value.transfers))
    place.faults.add(place.pointer, "there is no \"bandwidth\"; expected that, or \"channels\" and \"transfers\"");
}

Source read_source(const nlohmann::json& object, const std::string& place, Faults& faults) {
  auto source = read_fields<Source>(object, place, {}, faults);
  source.claims = object.value("claims", std::vector<std::string>());
  return source;
}

void read_value(const ValuePlace& place, Source& value) {
  value = read_source(place.json, place.pointer, place.faults);
}

} // namespace kakehashi
