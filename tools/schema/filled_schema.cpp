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

template <class Owner> Json properties_of(const Owner& otherwise = {});
template <class Owner> Json required_of();

// What a field is, to the schema.
struct Description {
  std::string meaning; // and what leaving it out means, if that is not a default
  std::span<const std::string_view> words;
  std::array<int, 2> range; // none: the usual one
};

template <class T> Json quantity(const Description& field) {
  return {{"type", "string"},
          {"maxLength", field.range[1] > 0 ? field.range[1] : 40},
          {"format", form_of<T>.format},
          {"description", fmt::format("{}; {}", field.meaning, form_of<T>.expected)}};
}

Json type_of(const Description& field, const Bytes*) {
  return quantity<Bytes>(field);
}
template <class Unit> Json type_of(const Description& field, const Quantity<Unit>*) {
  return quantity<Quantity<Unit>>(field);
}

// One for both directions, or an object with one for each.
Json type_of(Description field, const Capacity*) {
  field.meaning += "; an object gives the two directions apart";
  auto json = quantity<BytesPerSecond>(field);
  json["type"] = {"string", "object"};
  json["required"] = required_of<Capacity>();
  json["additionalProperties"] = false;
  json["properties"] = properties_of<Capacity>();
  return json;
}

// One for all kinds of endpoints, or an object with one for each.
template <class Unit> Json type_of(Description field, const PerKind<Quantity<Unit>>*) {
  field.meaning += "; one for every kind of endpoint, or an object with one for each";
  auto json = quantity<Quantity<Unit>>(field);
  const auto on_kind = [&](const std::string& words) {
    auto value = quantity<Quantity<Unit>>(field);
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
Json type_of(const Description& field, const bool*) {
  return {{"type", "boolean"}, {"description", field.meaning}};
}
Json type_of(const Description& field, const std::string*) {
  return {{"type", "string"},
          {"minLength", 1},
          {"maxLength", field.range[1] > 0 ? field.range[1] : 100},
          {"description", field.meaning}};
}
Json type_of(const Description& field, const StageEnd*) {
  return {{"type", "string"}, {"maxLength", 100}, {"description", field.meaning}};
}

Json link_type_names() {
  Json names = Json::array();
  for (const auto& row : link_types())
    names.push_back(row.name);
  return names;
}

// All words of its type, or only those that the field allows.
Json word(const Description& field, const Json& all) {
  return {{"type", "string"}, {"enum", field.words.empty() ? all : Json(field.words)}, {"description", field.meaning}};
}
template <Enumeration Enum> Json type_of(const Description& field, const Enum*) {
  return word(field, words_of<Enum>);
}
Json type_of(const Description& field, const LinkType*) {
  return word(field, link_type_names());
}
Json type_of(const Description& field, const std::size_t*) { // an index of words
  return word(field, Json::array());
}
Json type_of(const Description& field, const std::array<DeviceKind, 2>*) {
  return {{"type", "array"},
          {"minItems", 2},
          {"maxItems", 2},
          {"items", {{"type", "string"}, {"enum", field.words}}},
          {"description", field.meaning}};
}

template <class Owner> Json object_of(const Description& field) {
  Json json{{"type", "object"}};
  if (auto required = required_of<Owner>(); !required.empty())
    json["required"] = std::move(required);
  json["additionalProperties"] = false;
  json["description"] = field.meaning;
  json["properties"] = properties_of<Owner>();
  return json;
}
Json type_of(const Description& field, const Alignment*) {
  return object_of<Alignment>(field);
}
Json type_of(const Description& field, const Memory*) {
  return object_of<Memory>(field);
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
Json default_of(bool value) {
  return value;
}
template <Enumeration Enum> Json default_of(const Enum& value) {
  return name_of(words_of<Enum>, value);
}
template <class T> Json default_of(const std::optional<T>& value) {
  return value ? default_of(*value) : Json();
}

template <class Owner> Json property_of(const Field<Owner>& field, const Owner& otherwise = {}) {
  const auto left_out = field.left_out.empty() ? "" : fmt::format("; left out: {}", field.left_out);
  const Description description{std::string(field.meaning) + left_out, field.words, field.range};
  return std::visit(
      [&]<class T>(T Owner::*member) {
        auto json = type_of(description, static_cast<const T*>(nullptr));
        if (const auto value = default_of(otherwise.*member); !field.is_needed && left_out.empty() && !value.is_null())
          json["default"] = value;
        return json;
      },
      field.member);
}

// Otherwise: what stands for keys that are left out.
template <class Owner> Json properties_of(const Owner& otherwise) {
  Json json = Json::object();
  for (const auto& field : fields_of<Owner>())
    json[std::string(field.name)] = property_of(field, otherwise);
  return json;
}

template <class Owner> Json required_of() {
  Json json = Json::array();
  for (const auto& field : fields_of<Owner>())
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

// The fields of a data sheet, each with the types of links that take it.
Json rating_properties() {
  auto json = properties_of<LinkRating>();
  for (auto& [name, property] : json.items())
    property["description"] = fmt::format("{}: {}", who_takes(name), property["description"].get<std::string>());
  return json;
}

// What a link states whose ends a network gives; its two directions are alike. `takes`: fields of data sheets.
Json cable_properties(std::span<const std::string_view> takes) {
  Json json = Json::object();
  const auto refer = [&](std::string_view name) {
    json[std::string(name)] = {{"$ref", fmt::format("#/definitions/link/properties/{}", name)}};
  };
  for (const auto& field : fields_of<Link>())
    if (const auto* member = std::get_if<std::optional<Capacity> Link::*>(&field.member); member)
      json[std::string(field.name)] = quantity<BytesPerSecond>({std::string(field.meaning), {}, {}});
    else if (!field.is_needed)
      refer(field.name);
  for (const auto name : takes)
    refer(name);
  json["source"] = {{"$ref", "#/definitions/source"}};
  return json;
}

// Of any type.
Json any_cable_properties() {
  std::vector<std::string_view> takes;
  for (const auto& field : fields_of<LinkRating>())
    takes.push_back(field.name);
  Json json{{"type", {{"$ref", "#/definitions/link/properties/type"}}}};
  json.update(cable_properties(takes));
  return json;
}

using Names = std::vector<std::string_view>;

bool has(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Writes what tables give into an object's definition, of which only the keys named here are written by hand.
void put(Json& definition, const Json& properties, const Json& required, const Names& by_hand = {}) {
  auto whole = Json::object();
  for (const auto& [name, property] : definition["properties"].items())
    if (properties.contains(name) || has(by_hand, name))
      whole[name] = property;
  whole.update(properties);
  definition["properties"] = whole;
  auto needed = Json::array();
  if (definition.contains("required"))
    for (const auto& name : definition["required"])
      if (has(by_hand, name.get<std::string>()))
        needed.push_back(name);
  needed.insert(needed.end(), required.begin(), required.end());
  if (!needed.empty())
    definition["required"] = needed;
  else
    definition.erase("required");
}
template <class Owner> void put(Json& definition, const Names& by_hand = {}, const Owner& otherwise = {}) {
  put(definition, properties_of(otherwise), required_of<Owner>(), by_hand);
}

// In both schemas.
void put_mpi(Json& schema) {
  MpiSettings usual;
  usual.selector = Selector::open_mpi;
  usual.source = {};
  put(schema["properties"]["mpi"], {"rules", "algorithms"}, usual);
  put<AlgorithmChoice>(schema["definitions"]["algorithm"], {"name"});
  put<Source>(schema["definitions"]["source"], {"claims"});
}

} // namespace

Json with_tables(Json schema) {
  put_mpi(schema);
  if (schema["properties"].contains("workload")) {
    schema["properties"]["workload"]["properties"]["benchmark"]["enum"] = benchmark_names();
    return schema;
  }
  auto& definitions = schema["definitions"];
  put<Device>(definitions["device"], {"source"});
  auto link = properties_of<Link>();
  link.update(rating_properties());
  put(definitions["link"], link, required_of<Link>(), {"between", "source"});
  schema["properties"]["tofu"]["properties"]["link"]["properties"] = cable_properties(row_of(link_type("tofu")).takes);
  definitions["cable"]["properties"] = any_cable_properties();
  definitions["cable"]["required"] = Json::array({"type"});
  put<PeerLimit>(definitions["peer_limit"]);
  put<Regime>(definitions["regime"]);
  put<Rule>(definitions["rule"], {"regimes", "source"});
  put<Adjustment>(definitions["adjustment"]);
  put<Stage>(definitions["stage"]);
  put<Fabric>(definitions["fabric"],
              {"description", "links", "gateways", "thresholds", "rules", "adjustments", "stages", "by_scope"});
  definitions["fabric"]["properties"]["links"]["items"]["enum"] = link_type_names();
  return schema;
}

} // namespace kakehashi
