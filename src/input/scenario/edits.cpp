#include "input/scenario/edits.hpp"

#include "base/file.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kakehashi {
namespace {

using nlohmann::json;

// A list, a number or another JSON value; what is none is a text, so that quotes can be left out.
json value_of(const std::string& text) {
  auto value = json::parse(text, nullptr, false);
  return value.is_discarded() ? json(text) : value;
}

std::string unescaped(std::string_view step) {
  std::string text;
  for (std::size_t i = 0; i < step.size(); ++i) {
    const bool is_escape = step[i] == '~' && i + 1 < step.size() && (step[i + 1] == '0' || step[i + 1] == '1');
    text += is_escape ? (step[++i] == '0' ? '~' : '/') : step[i];
  }
  return text;
}

std::vector<std::string> steps_of(const std::string& pointer) {
  std::vector<std::string> steps;
  for (std::size_t begin = 0; begin < pointer.size();) {
    const auto end = std::min(pointer.find('/', begin + 1), pointer.size());
    steps.push_back(unescaped(std::string_view(pointer).substr(begin + 1, end - begin - 1)));
    begin = end;
  }
  return steps;
}

// The value at a step, made if it is missing; null if it cannot be there. A list takes one more at its end.
json* step_down(json& at, const std::string& step) {
  if (at.is_null() && index_of(step)) // of a list that is not there
    return nullptr;
  if (at.is_null() || at.is_object())
    return &at[step];
  const auto index = at.is_array() ? index_of(step) : std::nullopt;
  if (!index || *index > at.size())
    return nullptr;
  if (*index == at.size())
    at.push_back(nullptr);
  return &at[*index];
}

Result<Edit> edit_of(const std::string& text) {
  const auto equals = text.find('=');
  const auto field = text.substr(0, equals);
  const bool is_in_platform = field.starts_with(platform_prefix);
  auto pointer = is_in_platform ? field.substr(platform_prefix.size()) : field;
  if (equals == std::string::npos || pointer.size() < 2 || pointer.front() != '/')
    return usage_error("--set: " + mismatch(in_quotes(text), "FIELD=VALUE, such as /workload/window=16 or "
                                                             "platform:/fabrics/ib/rules/0/regimes/0/cap=\"3 GB/s\""));
  return Edit{"--set " + field, is_in_platform, std::move(pointer), JsonValue(value_of(text.substr(equals + 1)))};
}

// Commas part names, but not inside of brackets: "node[0-3,8].cpu".
std::vector<std::string> joined_in_brackets(const std::vector<std::string>& parts) {
  std::vector<std::string> names;
  for (const auto& part : parts)
    if (!names.empty() && names.back().rfind('[') != std::string::npos &&
        names.back().find(']', names.back().rfind('[')) == std::string::npos)
      names.back() += "," + part;
    else
      names.push_back(part);
  return names;
}

json ranks_of(const ScenarioWords& words) {
  const auto names = joined_in_brackets(words.ranks);
  const bool has_pattern =
      std::ranges::any_of(names, [](const std::string& name) { return name.find_first_of("*[") != std::string::npos; });
  if (!has_pattern && words.per_device == 0 && words.order.empty())
    return names;
  return {{"on", names}};
}

} // namespace

Result<ScenarioEdits> edits_of(const ScenarioWords& words, const std::map<std::string, std::string>& texts) {
  ScenarioEdits edits{words.platform, {}, {}};
  const auto add = [&](const char* option, const char* pointer, json value) {
    edits.fields.push_back({option, false, pointer, JsonValue(std::move(value))});
  };
  if (!words.fabric.empty())
    add("--fabric", "/fabric", words.fabric);
  if (!words.ranks.empty())
    add("--ranks", "/ranks", ranks_of(words));
  if (words.per_device > 0)
    add("--per-device", "/ranks/per_device", words.per_device);
  if (!words.order.empty())
    add("--order", "/ranks/order", words.order);
  if (!words.benchmark.empty())
    add("--benchmark", "/workload", {{"benchmark", words.benchmark}});
  if (!words.sizes.empty()) {
    json sizes = json::array();
    for (const auto& size : words.sizes)
      sizes.push_back(value_of(size));
    add("--sizes", "/workload/sizes", std::move(sizes));
  }
  Errors errors;
  for (const auto& text : words.sets)
    if (auto edit = edit_of(text))
      edits.fields.push_back(std::move(*edit));
    else
      errors.push_back(edit.errors().front());
  for (const auto& [name, text] : texts)
    if (auto document = parse_json(text, name))
      edits.documents.emplace(name, std::move(*document));
    else
      errors.insert(errors.end(), document.errors().begin(), document.errors().end());
  if (!errors.empty())
    return errors;
  return edits;
}

Result<JsonDocument> document_of(const std::string& file, const ScenarioEdits& edits) {
  const auto found = edits.documents.find(file);
  return found == edits.documents.end() ? read_json(file) : found->second;
}

Result<JsonDocument> document_or_input(const std::string& file, const ScenarioEdits& edits) {
  if (file != "-")
    return document_of(file, edits);
  const auto text = read_standard_input();
  return text ? parse_json(*text, "standard input") : text.errors();
}

Errors apply(const ScenarioEdits& edits, bool to_platform, JsonDocument& document) {
  Errors errors;
  for (const auto& edit : edits.fields) {
    if (edit.is_in_platform != to_platform)
      continue;
    json* at = &*document.root;
    for (const auto& step : steps_of(edit.pointer))
      if (at)
        at = step_down(*at, step);
    if (at)
      *at = *edit.value;
    else
      errors.push_back(usage_error(fmt::format("{}: {} has no such place", edit.option, document.file)));
  }
  return errors;
}

Errors by_option(Errors errors, const ScenarioEdits& edits, const std::string& scenario_file,
                 const std::string& platform_file) {
  for (auto& error : errors)
    for (const auto& edit : edits.fields) {
      const bool is_inside = error.place == edit.pointer || error.place.starts_with(edit.pointer + "/");
      if (!is_inside || error.file != (edit.is_in_platform ? platform_file : scenario_file))
        continue;
      error.place = error.place.substr(edit.pointer.size());
      error.file = edit.option;
      break;
    }
  return errors;
}

} // namespace kakehashi
