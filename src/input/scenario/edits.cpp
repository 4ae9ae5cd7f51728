#include "input/scenario/edits.hpp"

#include "base/file.hpp"
#include "base/text.hpp"
#include "input/platform/own_algorithm_reader.hpp"
#include "input/platform/part_readers.hpp"
#include "workload/benchmark/kind.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kakehashi {
namespace {

using nlohmann::json;

// Reads a JSON value. Text that is none becomes a string, so that quotes can be left out.
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

// Returns the value at a step, creating it if it is missing; null if it cannot be there. A list may grow by one at its
// end, and a missing one begins.
json* step_down(json& at, const std::string& step) {
  if (at.is_null() && index_of(step))
    at = json::array();
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
  if (equals == std::string::npos || pointer.empty() || pointer == "/")
    return usage_error("--set: " + mismatch(in_quotes(text), "FIELD=VALUE, such as workload.window=16 or "
                                                             "platform:links[n1.hca-n2.hca].lanes=4"));
  return Edit{"--set " + field, is_in_platform, std::move(pointer), JsonValue(value_of(text.substr(equals + 1)))};
}

// Commas separate names, but not inside brackets and braces: "node[0-3,8].cpu", or order=["data","tensor"].
std::vector<std::string> joined_in_brackets(const std::vector<std::string>& parts) {
  std::vector<std::string> names;
  const auto is_open = [&](char opening, char closing) {
    return std::ranges::count(names.back(), opening) > std::ranges::count(names.back(), closing);
  };
  for (const auto& part : parts)
    if (!names.empty() && (is_open('[', ']') || is_open('{', '}')))
      names.back() += "," + part;
    else
      names.push_back(part);
  return names;
}

json ranks_of(const ScenarioWords& words) {
  const auto names = joined_in_brackets(words.ranks);
  const bool has_pattern =
      std::ranges::any_of(names, [](const std::string& name) { return name.find_first_of("*[") != std::string::npos; });
  if (!has_pattern && words.per_device == 0 && words.order.empty() && words.map_by.empty() && words.count == 0 &&
      words.per_node == 0)
    return names;
  return {{"on", names}};
}

// "nccl", "2.22" or "nccl-2.22".
void add_gpu_library(const std::string& text, ScenarioEdits& edits) {
  if (text.empty())
    return;
  const auto digit = text.find_first_of("0123456789");
  auto name = text.substr(0, digit);
  if (name.ends_with('-'))
    name.pop_back();
  const auto add = [&](const char* pointer, const std::string& value) {
    edits.fields.push_back({"--gpu-library", true, pointer, JsonValue(json(value))});
  };
  if (!name.empty())
    add("/gpu_library/name", name);
  if (digit != std::string::npos)
    add("/gpu_library/version", text.substr(digit));
}

} // namespace

Result<ScenarioEdits> edits_of(const ScenarioWords& words, const std::map<std::string, std::string>& texts) {
  ScenarioEdits edits{words.platform, words.algorithm, {}, {}};
  const auto add = [&](const char* option, const char* pointer, json value) {
    edits.fields.push_back({option, false, pointer, JsonValue(std::move(value))});
  };
  if (const auto plus = words.fabric.find('+'); plus != std::string::npos) {
    const auto near = words.fabric.substr(0, plus);
    const json joined{{"inside-device", near}, {"inside-node", near}, {"between-nodes", words.fabric.substr(plus + 1)}};
    const auto name = near + "-" + words.fabric.substr(plus + 1);
    add("--fabric", "/fabric", name);
    edits.fields.push_back({"--fabric", true, pointer_to("/fabrics", name), JsonValue(json{{"by_scope", joined}})});
  } else if (!words.fabric.empty())
    add("--fabric", "/fabric", words.fabric);
  if (!words.ranks.empty())
    add("--ranks", "/ranks", ranks_of(words));
  if (words.per_device > 0)
    add("--per-device", "/ranks/per_device", words.per_device);
  else if (!words.ranks.empty() && (!words.map_by.empty() || words.count > 0 || words.per_node > 0))
    add(words.count > 0 ? "--np" : words.per_node > 0 ? "--per-node" : "--map-by", "/ranks/per_device", 0);
  if (!words.order.empty())
    add("--order", "/ranks/order", words.order);
  else if (!words.map_by.empty())
    add("--map-by", "/ranks/order",
        words.map_by == "core"      ? "block"
        : words.map_by == "socket"  ? "cyclic-in-node"
        : words.map_by == "numa"    ? "cyclic-over-numa"
        : words.map_by == "l3cache" ? "cyclic-over-caches"
                                    : "cyclic-over-nodes");
  if (words.per_node > 0)
    add("--per-node", "/ranks/per_node", words.per_node);
  if (words.count > 0)
    add("--np", "/ranks/count", words.count);
  if (!words.benchmark.empty())
    add("--benchmark", "/workload", {{"benchmark", words.benchmark}});
  for (const auto& [option, key, fields] : {std::tuple("--training", "training", &words.training),
                                            std::tuple("--inference", "inference", &words.inference)})
    for (const auto& word : joined_in_brackets(*fields)) {
      const auto equals = word.find('=');
      if (equals == std::string::npos) // another model is another workload
        add(option, "/workload", {{key, {{"model", word.starts_with('{') ? value_of(word) : json(word)}}}});
      else
        edits.fields.push_back({fmt::format("{} {}", option, word.substr(0, equals)), false,
                                pointer_to(fmt::format("/workload/{}", key), word.substr(0, equals)),
                                JsonValue(value_of(word.substr(equals + 1)))});
    }
  if (!words.protocol.empty())
    add("--protocol", "/workload/gpu/protocol", words.protocol);
  if (words.channels > 0)
    add("--channels", "/workload/gpu/channels", words.channels);
  Errors errors;
  for (const auto& variable : words.variables) {
    const auto equals = variable.find('=');
    if (equals == std::string::npos || equals == 0)
      errors.push_back(usage_error("--env: " + mismatch(in_quotes(variable), "NAME=VALUE, such as NCCL_ALGO=Ring")));
    else
      edits.fields.push_back({"--env", false, pointer_to("/workload/gpu/env", variable.substr(0, equals)),
                              JsonValue(json(variable.substr(equals + 1)))});
  }
  add_gpu_library(words.gpu_library, edits);
  if (!words.sizes.empty()) {
    json sizes = json::array();
    for (const auto& size : words.sizes)
      sizes.push_back(value_of(size));
    add("--sizes", "/workload/sizes", std::move(sizes));
  }
  for (const auto& text : words.sets)
    if (auto edit = edit_of(text))
      edits.fields.push_back(std::move(*edit));
    else
      errors.push_back(edit.errors().front());
  // These come after the edits that may state the recording.
  for (const auto& [key, text] :
       {std::pair("region", &words.part.region), std::pair("from", &words.part.from), std::pair("to", &words.part.to)})
    if (!text->empty())
      edits.fields.push_back(
          {fmt::format("--{}", key), false, fmt::format("/workload/replay/{}", key), JsonValue(json(*text))});
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

namespace {

// "links[a.b-c.d].transfers" → links, a.b-c.d, transfers
std::vector<std::string> words_of_field(const std::string& field) {
  std::vector<std::string> words{""};
  int depth = 0; // names may have ranges in brackets
  for (const char c : field) {
    depth += (c == '[') - (c == ']');
    const bool is_bracket = (c == '[' && depth == 1) || (c == ']' && depth == 0);
    if (!is_bracket && (c != '.' || depth > 0))
      words.back() += c;
    else if (c != ']' && !words.back().empty())
      words.emplace_back();
  }
  return words;
}

// Whether a name is one of those for which a text with ranges stands.
bool stands_for(const std::string& text, std::string_view name) {
  Faults faults("");
  const auto names = names_in(text, "", faults);
  return text == name || (names && std::ranges::find(*names, name) != names->end());
}

// Returns the names of an entry of a list: its own, or the two between which it is.
std::vector<std::string> names_of_entry(const json& entry) {
  if (!entry.is_object())
    return {};
  if (entry.contains("name") && entry["name"].is_string())
    return {entry["name"].get<std::string>()};
  const auto between = entry.value("between", json());
  if (!between.is_array() || between.size() != 2 || !between[0].is_string() || !between[1].is_string())
    return {};
  const auto a = between[0].get<std::string>(), b = between[1].get<std::string>();
  return {a + "-" + b, b + "-" + a};
}

std::optional<std::size_t> entry_named(const json& list, const std::string& name, std::vector<std::string>& known) {
  for (std::size_t i = 0; list.is_array() && i < list.size(); ++i) {
    const auto names = names_of_entry(list[i]);
    if (std::ranges::any_of(names, [&](const std::string& each) { return stands_for(each, name); }))
      return i;
    known.insert(known.end(), names.begin(), names.end());
  }
  return std::nullopt;
}

// "node0.cpu0-node0.cpu1", two devices of one node, is "cpu0-cpu1" in the node's template: returns the place of the
// list there.
std::optional<std::string> place_in_template(const json& root, std::string& name) {
  const auto dash = name.find('-', name.find('.')), dot = name.find('.'), second = name.find('.', dash);
  if (dash == std::string::npos || dot > dash || second == std::string::npos ||
      name.substr(0, dot) != name.substr(dash + 1, second - dash - 1))
    return std::nullopt;
  const auto node = name.substr(0, dot);
  const auto nodes = root.value("nodes", json::object()); // even this may be missing
  std::string of_node;
  for (const auto& [names, value] : nodes.items())
    if (value.is_string() && stands_for(names, node))
      of_node = value.get<std::string>();
  if (of_node.empty())
    return std::nullopt;
  name = name.substr(dot + 1, dash - dot) + name.substr(second + 1);
  return pointer_to(pointer_to("/templates", of_node), std::string("links"));
}

} // namespace

Result<std::string> pointer_in(const JsonDocument& document, const std::string& field) {
  if (field.starts_with('/'))
    return field;
  const auto& root = *document.root;
  std::string pointer;
  auto words = words_of_field(field);
  for (auto& word : words) {
    const json::json_pointer here(pointer);
    const auto* at = root.contains(here) ? &root[here] : nullptr;
    if (pointer == "/links")
      if (const auto place = place_in_template(root, word); place && root.contains(json::json_pointer(*place))) {
        pointer = *place;
        at = &root[json::json_pointer(*place)];
      }
    if (std::vector<std::string> known; at && at->is_array() && !index_of(word)) {
      const auto index = entry_named(*at, word, known);
      if (!index)
        return usage_error(fmt::format("{}: {} has no such entry as {}", document.file, pointer, in_quotes(word)),
                           closest(word, known));
      word = std::to_string(*index);
    } else if (!at && pointer == "/links" && !index_of(word))
      return usage_error(fmt::format("{}: no link is between {}", document.file, in_quotes(word)));
    pointer = pointer_to(pointer, word);
  }
  return pointer;
}

namespace {

// Whether it comes from --region, --from or --to, which alone do not make a replay.
bool is_of_part(const Edit& edit) {
  return edit.pointer.starts_with("/workload/replay/") && !edit.option.starts_with("--set");
}

} // namespace

Errors apply(const ScenarioEdits& edits, bool to_platform, JsonDocument& document) {
  Errors errors;
  const json::json_pointer replay("/workload/replay");
  for (const auto& edit : edits.fields) {
    if (edit.is_in_platform != to_platform)
      continue;
    if (is_of_part(edit) && !document.root->contains(replay)) {
      errors.push_back(usage_error(edit.option + " goes with a recording, and " + document.file + " replays none"));
      continue;
    }
    const auto pointer = pointer_in(document, edit.pointer);
    if (!pointer) {
      errors.push_back(pointer.errors().front());
      errors.back().message = edit.option + ": " + errors.back().message;
      continue;
    }
    if (pointer->starts_with("/peer_limits/"))
      if (const auto faults = unshare_peer_limits(document); !faults.empty())
        return faults;
    json* at = &*document.root;
    for (const auto& step : steps_of(*pointer))
      if (at)
        at = step_down(*at, step);
    if (at)
      *at = *edit.value;
    else
      errors.push_back(usage_error(fmt::format("{}: {} has no such place", edit.option, document.file)));
  }
  return errors;
}

std::vector<std::string> machine_changes(const ScenarioEdits& edits) {
  constexpr std::string_view option = "--set ";
  std::vector<std::string> changes;
  for (const auto& edit : edits.fields) {
    const bool is_of_library = edit.pointer.starts_with("mpi") || edit.pointer.starts_with("/mpi");
    if (!edit.option.starts_with(option) || !(edit.is_in_platform || is_of_library))
      continue;
    const auto& value = *edit.value;
    changes.push_back(fmt::format("{}={}", edit.option.substr(option.size()),
                                  value.is_string() ? value.get<std::string>() : value.dump()));
  }
  return changes;
}

// A file's path, for the scenario, which may be elsewhere; other words as they are.
std::string from_here(const std::string& word) {
  std::error_code status;
  return is_own_algorithm(word) && std::filesystem::exists(word, status) ? std::filesystem::absolute(word).string()
                                                                         : word;
}

Errors apply_algorithm(const ScenarioEdits& edits, JsonDocument& scenario) {
  if (edits.algorithm.empty())
    return {};
  auto& root = *scenario.root;
  const json::json_pointer at("/workload/benchmark");
  const auto* benchmark =
      root.contains(at) && root[at].is_string() ? find_benchmark(root[at].get<std::string>()) : nullptr;
  if (benchmark && benchmark->gpu && is_own_algorithm(edits.algorithm))
    return {usage_error(fmt::format("--algorithm: {} runs as NCCL and RCCL run it, which take no algorithm of a file; "
                                    "benchmarks of MPI, such as osu-allreduce, do",
                                    benchmark->name))};
  if (benchmark && benchmark->gpu) {
    root["workload"]["gpu"]["algorithm"] = edits.algorithm;
    return {};
  }
  if (!benchmark || !benchmark->collective)
    return {usage_error("--algorithm: " +
                        mismatch("no collective operation", "a benchmark of one, such as imb-allreduce"))};
  auto& mpi = root["mpi"];
  if ((mpi.is_null() || mpi.is_object()) && (mpi["algorithms"].is_null() || mpi["algorithms"].is_object()))
    mpi["algorithms"][row_of(*benchmark->collective).name] = from_here(edits.algorithm);
  return {};
}

Errors by_option(Errors errors, const ScenarioEdits& edits, const std::string& scenario_file,
                 const std::string& platform_file) {
  for (auto& error : errors)
    // Later edits may be of parts of earlier ones.
    for (auto at = edits.fields.rbegin(); at != edits.fields.rend(); ++at) {
      const auto& edit = *at;
      const auto last = edit.pointer.starts_with('/') ? "" : edit.pointer.substr(edit.pointer.rfind('.') + 1);
      const bool is_inside = error.place == edit.pointer || error.place.starts_with(edit.pointer + "/") ||
                             // The place to which the edit's names led.
                             (!last.empty() && error.place.ends_with("/" + last));
      if (!is_inside || error.file != (edit.is_in_platform ? platform_file : scenario_file))
        continue;
      error.place = last.empty() ? error.place.substr(edit.pointer.size()) : "";
      error.file = edit.option;
      break;
    }
  return errors;
}

} // namespace kakehashi
