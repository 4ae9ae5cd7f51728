#include "report/platform_writer.hpp"

#include "base/digits.hpp"
#include "base/quantity_form.hpp"
#include "report/report.hpp"

#include <fmt/format.h>

namespace kakehashi {
namespace {

template <class T> std::string quantity_text(T quantity) {
  return fmt::format("{} {}", four_digits(quantity.value * form_of<T>.scale), form_of<T>.unit);
}

template <class Unit> Json value_json(const Quantity<Unit>& value, std::span<const std::string_view>) {
  return quantity_text(value);
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
Json value_json(bool value, std::span<const std::string_view>) {
  return value;
}
Json value_json(const std::string& value, std::span<const std::string_view>) {
  return value;
}
Json value_json(std::size_t value, std::span<const std::string_view> words) {
  return words[value];
}
template <Enumeration Enum> Json value_json(Enum value, std::span<const std::string_view>) {
  return name_of(words_of<Enum>, value);
}
Json value_json(const std::array<DeviceKind, 2>& kinds, std::span<const std::string_view>) {
  return {name_of(device_kind_names, kinds[0]), name_of(device_kind_names, kinds[1])};
}
Json value_json(LinkType value, std::span<const std::string_view>) {
  return name_of(value);
}
Json value_json(const StageEnd& end, std::span<const std::string_view>) {
  return std::string(name_of(side_names, end.side)) + (end.device.empty() ? "" : "." + end.device);
}
Json value_json(const Capacity& value, std::span<const std::string_view>) {
  return value.forward == value.backward ? Json(quantity_text(value.forward)) : fields_to_json(value);
}
Json value_json(const Alignment& value, std::span<const std::string_view>) {
  return fields_to_json(value);
}
Json value_json(const Memory& value, std::span<const std::string_view>) {
  return fields_to_json(value);
}
Json value_json(const Source& value, std::span<const std::string_view>) {
  return fields_to_json(value);
}

// One text if all kinds of endpoints agree, else an object with those that differ from the first.
template <class Unit> Json value_json(const PerKind<Quantity<Unit>>& values, std::span<const std::string_view>) {
  Json by_kind{{"any", quantity_text(values.front())}};
  for (std::size_t k = 0; k < device_kind_count; ++k)
    if (values[k] != values.front())
      by_kind[std::string(device_kind_names[k])] = quantity_text(values[k]);
  return by_kind.size() > 1 ? by_kind : by_kind["any"];
}

template <class T> Json value_json(const std::optional<T>& value, std::span<const std::string_view> words) {
  return value_json(*value, words);
}

// The fields that are wanted, of those that are not as if they were left out.
template <class Owner, class Want> Json chosen_fields(const Owner& owner, Want is_wanted) {
  const Owner otherwise{};
  Json json = Json::object();
  for (const auto& field : fields_of<Owner>())
    std::visit(
        [&](auto member) {
          if (is_wanted(field) && (field.is_needed || owner.*member != otherwise.*member))
            json[std::string(field.name)] = value_json(owner.*member, field.words);
        },
        field.member);
  return json;
}

} // namespace

template <class Owner> Json fields_to_json(const Owner& owner) {
  return chosen_fields(owner, [](const auto&) { return true; });
}
template Json fields_to_json(const Device& device);
template Json fields_to_json(const Link& link);
template Json fields_to_json(const LinkRating& rating);
template Json fields_to_json(const PeerLimit& limit);
template Json fields_to_json(const Rule& rule);
template Json fields_to_json(const Stage& stage);
template Json fields_to_json(const Fabric& fabric);

Json to_json(const Source& source) {
  auto json = fields_to_json(source);
  if (!source.claims.empty())
    json["claims"] = source.claims;
  return json;
}

Json to_json(const Regime& regime) {
  auto json = fields_to_json(regime);
  json.erase("source");
  return json;
}

Json to_json(const Adjustment& adjustment) {
  auto json = fields_to_json(adjustment);
  if (amounts_of(adjustment).contains("copy_factor"))
    json["copy_factor"] = rounded(adjustment.copy_factor);
  json.erase("source"); // to stand last
  json["source"] = to_json(adjustment.source);
  return json;
}

Json amounts_of(const Adjustment& adjustment) {
  auto json = chosen_fields(adjustment, [](const auto& field) { return field.better != Better::neither; });
  if (json.empty())
    json["copy_factor"] = rounded(adjustment.copy_factor);
  return json;
}

} // namespace kakehashi
