#include "filled_schema.hpp"

#include "model/platform_fields.hpp"
#include "workload/benchmark/kind.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kakehashi {
namespace {

using Json = nlohmann::ordered_json;

Json properties_of(const Object& usual);
Json required_of(std::span<const Field> fields);

// A text of a field; the words of the field, or else all of its type.
Json text_property(const ValueText& text, std::string_view meaning, const Field& field) {
  const int most = field.range[1];
  if (!text.format.empty())
    return {{"type", "string"},
            {"maxLength", most > 0 ? most : 40},
            {"format", text.format},
            {"description", fmt::format("{}; {}", meaning, text.expected)}};
  if (const auto& words = field.words.empty() ? text.words : field.words; !words.empty())
    return {{"type", "string"}, {"enum", words}, {"description", meaning}};
  Json json{{"type", "string"}};
  if (text.expected.empty()) // otherwise its reader explains that an empty one does not fit
    json["minLength"] = 1;
  json["maxLength"] = most > 0 ? most : 100;
  json["description"] = meaning;
  return json;
}

// How the schema describes the values of a field.
struct Describer {
  const Field& field;
  std::string meaning; // and that of leaving it out, if that is not a default

  Json operator()(const ValueText& text) const { return text_property(text, meaning, field); }
  Json operator()(const int*) const { return number("integer"); }
  Json operator()(const double*) const { return number("number"); }
  Json operator()(const bool*) const { return {{"type", "boolean"}, {"description", meaning}}; }
  Json operator()(const Source*) const { return {{"$ref", "#/definitions/source"}}; }
  Json operator()(const std::vector<ValueText>& list) const {
    return {{"type", "array"},
            {"minItems", list.size()},
            {"maxItems", list.size()},
            {"items", {{"type", "string"}, {"enum", field.words}}},
            {"description", meaning}};
  }

  // One for all kinds of endpoints, or an object with one for each.
  Json operator()(const ByKind& values) const {
    const auto& text = values.texts.front();
    auto json =
        text_property(text, meaning + "; one for every kind of endpoint, or an object with one for each", field);
    const auto on_kind = [&](const std::string& words) {
      auto value = text_property(text, meaning, field);
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

  // One for both directions, or an object with one for each; or an object only.
  Json operator()(const Nested& value) const {
    auto required = required_of(value.object.fields);
    if (!value.as_one.empty()) {
      auto json = text_property(value.as_one.front(), meaning + "; an object gives the two directions apart", field);
      json["type"] = {"string", "object"};
      json["required"] = std::move(required);
      json["additionalProperties"] = false;
      json["properties"] = properties_of(value.object);
      return json;
    }
    Json json{{"type", "object"}};
    if (!required.empty())
      json["required"] = std::move(required);
    json["additionalProperties"] = false;
    json["description"] = meaning;
    json["properties"] = properties_of(value.object);
    return json;
  }

private:
  Json number(const char* type) const {
    return {{"type", type}, {"minimum", field.range[0]}, {"maximum", field.range[1]}, {"description", meaning}};
  }
};

// The value that stands for a key that is left out, as a file would state it; null: none does.
struct Default {
  Json operator()(const ValueText& text) const {
    return text.format.empty() && text.words.empty() ? Json() : Json(text.write());
  }
  Json operator()(int* value) const { return *value; }
  Json operator()(double* value) const {
    return static_cast<int>(*value) == *value ? Json(static_cast<int>(*value)) : Json(*value);
  }
  Json operator()(bool* value) const { return *value; }
  Json operator()(const ByKind& values) const { return values.texts.front().write(); }
  template <class Other> Json operator()(const Other&) const { return nullptr; }
};

Json property_of(const Field& field, void* usual) {
  const auto left_out = field.left_out.empty() ? "" : fmt::format("; left out: {}", field.left_out);
  const bool has_default = !field.is_needed && left_out.empty() && field.is_stated_in(usual);
  const auto value = field.value_in(usual);
  auto json = std::visit(Describer{field, std::string(field.meaning) + left_out}, value);
  if (const auto otherwise = has_default ? std::visit(Default(), value) : Json(); !otherwise.is_null())
    json["default"] = otherwise;
  return json;
}

// Usual: an owner with the values that stand for keys that are left out.
Json properties_of(const Object& usual) {
  Json json = Json::object();
  for (const auto& field : usual.fields)
    json[std::string(field.name)] = property_of(field, usual.owner);
  return json;
}
template <class Owner> Json properties_of() {
  Owner usual;
  return properties_of(object_of(usual));
}

Json required_of(std::span<const Field> fields) {
  Json json = Json::array();
  for (const auto& field : fields)
    if (field.is_needed)
      json.push_back(field.name);
  return json;
}

Json link_type_names() {
  Json names = Json::array();
  for (const auto& row : link_types())
    names.push_back(row.name);
  return names;
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

// The fields of a link whose ends a network gives; its two directions are alike. `takes`: fields of data sheets.
Json cable_properties(std::span<const std::string_view> takes) {
  Json json = Json::object();
  const auto refer = [&](std::string_view name) {
    json[std::string(name)] = {{"$ref", fmt::format("#/definitions/link/properties/{}", name)}};
  };
  Link usual;
  for (const auto& field : fields_of<Link>()) {
    const auto value = field.value_in(&usual);
    if (const auto* nested = std::get_if<Nested>(&value); nested)
      json[std::string(field.name)] = text_property(nested->as_one.front(), field.meaning, field);
    else if (!field.is_needed)
      refer(field.name);
  }
  for (const auto name : takes)
    refer(name);
  json["source"] = {{"$ref", "#/definitions/source"}};
  return json;
}

// A cable may be a link of any type.
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

// Writes the properties of tables into an object's definition. Only the keys named here are written by hand.
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
template <class Owner> void put(Json& definition, const Names& by_hand = {}, Owner usual = {}) {
  put(definition, properties_of(object_of(usual)), required_of(fields_of<Owner>()), by_hand);
}

// In both schemas.
void put_mpi(Json& schema) {
  MpiSettings usual;
  usual.selector = Selector::open_mpi;
  usual.source = {};
  put(schema["properties"]["mpi"], {"rules", "library", "algorithms"}, usual);
  put<AlgorithmChoice>(schema["definitions"]["algorithm"], {"name"});
  put<Source>(schema["definitions"]["source"], {"claims", "curves"});
}

} // namespace

Json with_tables(Json schema) {
  put_mpi(schema);
  if (schema["properties"].contains("workload")) {
    schema["properties"]["workload"]["properties"]["benchmark"]["enum"] = benchmark_names();
    return schema;
  }
  put<GpuLibraryChoice>(schema["properties"]["gpu_library"]);
  auto& definitions = schema["definitions"];
  put<MemoryPart>(definitions["memory_part"]);
  put<Device>(definitions["device"], {"source", "memories"});
  auto link = properties_of<Link>();
  link.update(rating_properties());
  put(definitions["link"], link, required_of(fields_of<Link>()), {"between", "source"});
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
