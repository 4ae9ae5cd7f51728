#include "filled_schema.hpp"

#include "base/quantity_form.hpp"
#include "model/platform_fields.hpp"
#include "workload/benchmark/kind.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kakehashi {
namespace {

using Json = nlohmann::ordered_json;

template <class Owner> Json properties_of(std::span<const Field<Owner>> fields);
template <class Owner> Json required_of(std::span<const Field<Owner>> fields);

// What a field is, to the schema.
struct Description {
  std::string meaning;
  std::span<const std::string_view> words;
  std::array<int, 2> range;
  int longest; // text
};

template <class T> Json quantity(const std::string& meaning, int longest) {
  return {{"type", "string"},
          {"maxLength", longest},
          {"format", form_of<T>.format},
          {"description", fmt::format("{}; {}", meaning, form_of<T>.expected)}};
}

Json type_of(const Description& field, const Bytes*) {
  return quantity<Bytes>(field.meaning, field.longest);
}
template <class Unit> Json type_of(const Description& field, const Quantity<Unit>*) {
  return quantity<Quantity<Unit>>(field.meaning, field.longest);
}

// One for all kinds of endpoints, or an object with one for each.
template <class Unit> Json type_of(const Description& field, const PerKind<Quantity<Unit>>*) {
  auto json = quantity<Quantity<Unit>>(field.meaning, field.longest);
  const auto on_kind = [&](const std::string& words) {
    auto value = quantity<Quantity<Unit>>("", field.longest);
    value["description"] = words;
    return value;
  };
  json["type"] = {"string", "object"};
  json["minProperties"] = 1;
  json["additionalProperties"] = false;
  for (std::size_t k = 0; k < device_kind_count; ++k)
    if (can_run_ranks(static_cast<DeviceKind>(k))) {
      const std::string name(device_kind_names[k]);
      json["properties"][name] = on_kind("on a " + name);
    }
  json["properties"]["any"] = on_kind("on the kinds that are not named");
  return json;
}

Json number(const Description& field, const char* type) {
  return {{"type", type}, {"minimum", field.range[0]}, {"maximum", field.range[1]}, {"description", field.meaning}};
}
Json type_of(const Description& field, const int*) {
  return number(field, "integer");
}
Json type_of(const Description& field, const double*) {
  return number(field, "number");
}
Json type_of(const Description& field, const std::string*) {
  return {{"type", "string"}, {"minLength", 1}, {"maxLength", 100}, {"description", field.meaning}};
}

Json word(const Description& field) {
  return {{"type", "string"}, {"enum", field.words}, {"description", field.meaning}};
}
Json type_of(const Description& field, const DeviceKind*) {
  return word(field);
}
Json type_of(const Description& field, const MemoryAccess*) {
  return word(field);
}
Json type_of(const Description& field, const LinkType*) {
  return word(field);
}
Json type_of(const Description& field, const Protocol*) {
  return word(field);
}
Json type_of(const Description& field, const std::size_t*) { // an index of words
  return word(field);
}

Json type_of(const Description& field, const Alignment*) {
  return {{"type", "object"},
          {"required", required_of(alignment_fields())},
          {"additionalProperties", false},
          {"description", field.meaning},
          {"properties", properties_of(alignment_fields())}};
}
Json type_of(const Description&, const Source*) {
  return {{"$ref", "#/definitions/source"}};
}
template <class T> Json type_of(const Description& field, const std::optional<T>*) {
  return type_of(field, static_cast<const T*>(nullptr));
}

// What stands for a key that is left out, as a file would say it; null: nothing does.
template <class T> Json default_of(const T&) {
  return nullptr;
}
Json default_of(Bytes value) {
  return to_text(value);
}
template <class Unit> Json default_of(Quantity<Unit> value) {
  return fmt::format("{:.4g} {}", value.value * form_of<Quantity<Unit>>.scale, form_of<Quantity<Unit>>.unit);
}
template <class Unit> Json default_of(const PerKind<Quantity<Unit>>& values) {
  return default_of(values.front());
}
Json default_of(int value) {
  return value;
}
Json default_of(double value) {
  return static_cast<int>(value) == value ? Json(static_cast<int>(value)) : Json(value);
}

template <class Owner> Json property_of(const Field<Owner>& field) {
  const bool may_be_threshold = std::is_same_v<Owner, Regime> && (field.name == "from" || field.name == "to");
  const Description description{std::string(field.meaning), field.words, field.range, may_be_threshold ? 100 : 40};
  return std::visit(
      [&]<class T>(T Owner::*member) {
        auto json = type_of(description, static_cast<const T*>(nullptr));
        if (const auto otherwise = default_of(Owner{}.*member); !field.is_needed && !otherwise.is_null())
          json["default"] = otherwise;
        return json;
      },
      field.member);
}

template <class Owner> Json properties_of(std::span<const Field<Owner>> fields) {
  Json json = Json::object();
  for (const auto& field : fields)
    json[std::string(field.name)] = property_of(field);
  return json;
}

template <class Owner> Json required_of(std::span<const Field<Owner>> fields) {
  Json json = Json::array();
  for (const auto& field : fields)
    if (field.is_needed)
      json.push_back(field.name);
  return json;
}

// "ethernet, nvlink, tofu"; with lanes, what each of them can have.
std::string who_takes(std::string_view field) {
  std::vector<std::string> types;
  for (const auto& row : link_types())
    if (std::find(row.takes.begin(), row.takes.end(), field) != row.takes.end())
      types.push_back(field == "lanes" ? fmt::format("{} ({})", row.name, fmt::join(row.widths, ", "))
                                       : std::string(row.name));
  return fmt::format("{}", fmt::join(types, ", "));
}

Json link_type_names() {
  Json names = Json::array();
  for (const auto& row : link_types())
    names.push_back(row.name);
  return names;
}

template <class Owner> void put(Json& definition, std::span<const Field<Owner>> fields) {
  definition["required"] = required_of(fields);
  definition["properties"] = properties_of(fields);
}

} // namespace

Json with_tables(Json schema) {
  if (schema["properties"].contains("workload")) {
    schema["properties"]["workload"]["properties"]["benchmark"]["enum"] = benchmark_names();
    return schema;
  }
  auto& definitions = schema["definitions"];
  put(definitions["regime"], regime_fields());
  put(definitions["adjustment"], adjustment_fields());
  put(definitions["peer_limit"], peer_limit_fields());
  auto& link = definitions["link"]["properties"];
  for (const auto& field : rating_fields()) {
    auto property = property_of(field);
    property["description"] =
        fmt::format("{}: {}", who_takes(field.name), property["description"].template get<std::string>());
    link[std::string(field.name)] = property;
  }
  link["type"]["enum"] = link_type_names();
  definitions["rule"]["properties"]["crosses"]["enum"] = link_type_names();
  definitions["fabric"]["properties"]["links"]["items"]["enum"] = link_type_names();
  return schema;
}

} // namespace kakehashi
