#include "input/json/schema.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <set>

namespace kakehashi {
namespace {

using nlohmann::json;

std::vector<std::string> keys_of(const json& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items())
    keys.push_back(key);
  return keys;
}

std::string one_of(const std::vector<std::string>& names) {
  std::vector<std::string> shown;
  for (const auto& name : names)
    shown.push_back(in_quotes(name));
  if (shown.size() == 1)
    return shown.front();
  return fmt::format("one of {}", fmt::join(shown, ", "));
}

std::string type_words(const json& type) {
  if (type.is_array()) {
    std::vector<std::string> words;
    for (const auto& each : type)
      words.push_back(type_words(each));
    return fmt::format("{}", fmt::join(words, " or "));
  }
  const auto name = type.get<std::string>();
  if (name == "integer")
    return "a whole number";
  return (name == "object" || name == "array" ? "an " : "a ") + name;
}

bool has_type(const json& value, const json& type) {
  if (type.is_array()) {
    for (const auto& each : type)
      if (has_type(value, each))
        return true;
    return false;
  }
  const auto name = type.get<std::string>();
  return (name == "object" && value.is_object()) || (name == "array" && value.is_array()) ||
         (name == "string" && value.is_string()) || (name == "integer" && value.is_number_integer()) ||
         (name == "number" && value.is_number()) || (name == "boolean" && value.is_boolean());
}

// Describes what is wrong at each place by the keywords of the schema. It knows the keywords that our schemas use;
// tests/schema compares it with another validator.
class Explainer {
public:
  Explainer(const JsonDocument& document, const json& schema) : document_(document), schema_(schema) {}

  Errors explain() {
    visit(*document_.root, schema_, "");
    return std::move(errors_);
  }

private:
  const JsonDocument& document_;
  const json& schema_;
  Errors errors_;

  void fault(const std::string& place, std::string message, std::string suggestion = "") {
    errors_.push_back(input_error(document_.file, place, std::move(message), std::move(suggestion)));
  }

  void visit(const json& value, const json& rules_or_reference, const std::string& place) {
    const json& rules = rules_or_reference.contains("$ref")
                            ? schema_.at(json::json_pointer(rules_or_reference["$ref"].get<std::string>().substr(1)))
                            : rules_or_reference;
    if (rules.contains("type") && !has_type(value, rules["type"]))
      return fault(place, mismatch(show(value), type_words(rules["type"])));
    if (value.is_object())
      visit_object(value, rules, place);
    else if (value.is_array())
      visit_array(value, rules, place);
    else
      visit_scalar(value, rules, place);
  }

  void visit_object(const json& value, const json& rules, const std::string& place) {
    static const json none = json::object();
    const json& properties = rules.contains("properties") ? rules["properties"] : none;
    for (const auto& name : rules.value("required", std::vector<std::string>{}))
      if (!value.contains(name))
        fault(place, fmt::format("the key {} is missing", in_quotes(name)));
    visit_choices(value, rules, place);
    if (value.size() < rules.value("minProperties", std::size_t{0}))
      fault(place,
            mismatch("an empty object", properties.empty() ? "at least one entry" : one_of(keys_of(properties))));
    if (value.size() > rules.value("maxProperties", value.size()))
      fault(place, mismatch(counted(value.size(), "key"), fmt::format("at most {}", rules["maxProperties"].dump())));
    for (const auto& [key, child] : value.items()) {
      const auto child_place = pointer_to(place, key);
      if (properties.contains(key)) {
        visit(child, properties[key], child_place);
      } else if (rules.contains("additionalProperties") && rules["additionalProperties"].is_object()) {
        visit(child, rules["additionalProperties"], child_place);
      } else if (rules.contains("additionalProperties")) {
        const auto names = keys_of(properties);
        fault(child_place, mismatch("an unknown key", one_of(names)), closest(key, names));
      }
    }
  }

  // Of keys that one of several lists requires; the faults are what lacks for the last one.
  void visit_choices(const json& value, const json& rules, const std::string& place) {
    std::vector<std::string> missing;
    for (const auto& choice : rules.value("anyOf", json::array())) {
      missing.clear();
      for (const auto& name : choice["required"])
        if (!value.contains(name.get<std::string>()))
          missing.push_back(name.get<std::string>());
      if (missing.empty())
        return;
    }
    for (const auto& name : missing)
      fault(place, fmt::format("the key {} is missing", in_quotes(name)));
  }

  void visit_array(const json& value, const json& rules, const std::string& place) {
    const auto least = rules.value("minItems", std::size_t{0});
    const auto most = rules.value("maxItems", value.size());
    if (value.size() < least || value.size() > most)
      fault(place, mismatch(counted(value.size(), "item"), least == most          ? fmt::format("{}", least)
                                                           : value.size() < least ? fmt::format("at least {}", least)
                                                                                  : fmt::format("at most {}", most)));
    if (rules.contains("items"))
      for (std::size_t i = 0; i < value.size() && i < most; ++i)
        visit(value[i], rules["items"], pointer_to(place, i));
    if (std::set<json> seen; rules.value("uniqueItems", false))
      for (std::size_t i = 0; i < value.size(); ++i)
        if (!seen.insert(value[i]).second)
          fault(pointer_to(place, i), mismatch(show(value[i]) + " twice", "each only once"));
  }

  void visit_scalar(const json& value, const json& rules, const std::string& place) {
    if (rules.contains("enum")) {
      const auto names = rules["enum"].get<std::vector<std::string>>();
      const auto word = value.get<std::string>();
      if (std::find(names.begin(), names.end(), word) == names.end())
        fault(place, mismatch(show(value), one_of(names)), closest(word, names));
    } else if (value.is_string()) {
      const std::string_view text = value.get_ref<const std::string&>().c_str(); // up to a NUL
      // True for the first byte of a UTF-8 character.
      const auto is_first_byte = [](char c) { return (c & 0xC0) != 0x80; };
      const auto length = static_cast<std::size_t>(std::count_if(text.begin(), text.end(), is_first_byte));
      if (length < rules.value("minLength", std::size_t{0}))
        fault(place, mismatch(show(value), "a text that is not empty"));
      if (length > rules.value("maxLength", length))
        fault(place, mismatch(fmt::format("a text of {} characters", length),
                              fmt::format("at most {}", rules["maxLength"].dump())));
    } else if (value.is_number()) {
      const bool is_any = value.is_number_float() || rules.value("type", json()) == "number";
      const auto kind = is_any ? "number" : "whole number";
      if (rules.contains("exclusiveMinimum") && value <= rules["exclusiveMinimum"])
        fault(place, mismatch(show(value), fmt::format("a {} above {}", kind, rules["exclusiveMinimum"].dump())));
      if ((rules.contains("minimum") && value < rules["minimum"]) ||
          (rules.contains("maximum") && value > rules["maximum"]))
        fault(place,
              mismatch(show(value), rules.contains("maximum")
                                        ? fmt::format("a {} from {} to {}", kind,
                                                      rules.value("minimum", json(0)).dump(), rules["maximum"].dump())
                                        : fmt::format("a {} from {}", kind, rules["minimum"].dump())));
    }
  }
};

} // namespace

Errors check_schema(const JsonDocument& document, std::string_view schema_text) {
  return document.in_document_order(Explainer(document, json::parse(schema_text)).explain());
}

} // namespace kakehashi
