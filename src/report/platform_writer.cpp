#include "report/platform_writer.hpp"

#include "base/quantity_form.hpp"
#include "report/report.hpp"

#include <fmt/format.h>

namespace kakehashi {
namespace {

template <class Owner> Json fields_to_json(const Owner& owner, std::span<const Field<Owner>> fields, bool amounts_only);

template <class T> std::string text_of(T quantity) {
  return fmt::format("{:.4g} {}", quantity.value * form_of<T>.scale, form_of<T>.unit);
}

template <class Unit> Json value_json(const Quantity<Unit>& value, std::span<const std::string_view>) {
  return text_of(value);
}
Json value_json(Bytes value, std::span<const std::string_view>) {
  return to_text(value);
}
Json value_json(int value, std::span<const std::string_view>) {
  return value;
}
Json value_json(double value, std::span<const std::string_view>) {
  return rounded(value);
}
Json value_json(const std::string& value, std::span<const std::string_view>) {
  return value;
}
Json value_json(std::size_t value, std::span<const std::string_view> words) {
  return words[value];
}
Json value_json(DeviceKind value, std::span<const std::string_view>) {
  return name_of(device_kind_names, value);
}
Json value_json(MemoryAccess value, std::span<const std::string_view>) {
  return name_of(memory_access_names, value);
}
Json value_json(Protocol value, std::span<const std::string_view>) {
  return name_of(protocol_names, value);
}
Json value_json(LinkType value, std::span<const std::string_view>) {
  return name_of(value);
}
Json value_json(const Alignment& value, std::span<const std::string_view>) {
  return fields_to_json(value, alignment_fields(), false);
}
Json value_json(const Source& value, std::span<const std::string_view>) {
  return to_json(value);
}

// One text if all kinds of endpoints agree, else an object with those that differ from the first.
template <class Unit> Json value_json(const PerKind<Quantity<Unit>>& values, std::span<const std::string_view>) {
  Json by_kind{{"any", text_of(values.front())}};
  for (std::size_t k = 0; k < device_kind_count; ++k)
    if (values[k] != values.front())
      by_kind[std::string(device_kind_names[k])] = text_of(values[k]);
  return by_kind.size() > 1 ? by_kind : by_kind["any"];
}

template <class T> Json value_json(const std::optional<T>& value, std::span<const std::string_view> words) {
  return value_json(*value, words);
}

template <class T> bool differs(const T& value, const T& otherwise) {
  return value != otherwise;
}
bool differs(const std::optional<Alignment>& value, const std::optional<Alignment>&) {
  return value.has_value();
}
bool differs(const Source& value, const Source& otherwise) {
  return value.kind != otherwise.kind || value.from != otherwise.from;
}

template <class Owner>
Json fields_to_json(const Owner& owner, std::span<const Field<Owner>> fields, bool amounts_only) {
  const Owner otherwise{};
  Json json = Json::object();
  for (const auto& field : fields)
    std::visit(
        [&](auto member) {
          const bool is_wanted = field.is_needed || differs(owner.*member, otherwise.*member);
          if (is_wanted && (!amounts_only || field.better != Better::neither))
            json[std::string(field.name)] = value_json(owner.*member, field.words);
        },
        field.member);
  return json;
}

} // namespace

Json to_json(const Source& source) {
  return {{"kind", name_of(source_kind_names, source.kind)}, {"from", source.from}};
}

Json to_json(const Regime& regime) {
  auto json = fields_to_json(regime, regime_fields(), false);
  json.erase("source");
  return json;
}

Json to_json(const Adjustment& adjustment) {
  auto json = fields_to_json(adjustment, adjustment_fields(), false);
  if (amounts_of(adjustment).contains("copy_factor"))
    json["copy_factor"] = rounded(adjustment.copy_factor);
  json.erase("source"); // to stand last
  json["source"] = to_json(adjustment.source);
  return json;
}

Json amounts_of(const Adjustment& adjustment) {
  auto json = fields_to_json(adjustment, adjustment_fields(), true);
  if (json.empty())
    json["copy_factor"] = rounded(adjustment.copy_factor);
  return json;
}

} // namespace kakehashi
