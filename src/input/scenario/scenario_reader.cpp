#include "input/scenario/scenario_reader.hpp"

#include "base/text.hpp"
#include "input/json/schema.hpp"
#include "input/log/log_reader.hpp"
#include "input/platform/mpi_reader.hpp"
#include "input/platform/platform_reader.hpp"
#include "input/scenario/scenario_parts.hpp"
#include "input/trace/recording/recording_source.hpp"
#include "model/platform.hpp"
#include "workload/benchmark/kind.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kakehashi {
using nlohmann::json;

namespace {

Errors joined(Errors first, const Errors& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

void check_fabric(const std::string& name, const Platform& platform, Faults& faults) {
  if (find_fabric(platform, name))
    return;
  auto fault = unknown_fabric(platform, name);
  faults.add("/fabric", std::move(fault.message), std::move(fault.suggestion));
}

// Returns the devices of these names. Another value of a sweep may have removed some from the platform.
std::vector<std::size_t> named_devices(const std::vector<std::string>& names, const Platform& platform,
                                       Faults& faults) {
  std::vector<std::size_t> devices;
  for (const auto& name : names)
    if (const auto device = find_device(platform, name))
      devices.push_back(*device);
    else
      faults.add("/ranks", mismatch(in_quotes(name), devices_of(platform)));
  return devices;
}

using SharedPlatform = std::shared_ptr<const Platform>;

Result<SharedPlatform> share(Result<Platform> platform) {
  if (!platform)
    return platform.errors();
  return std::make_shared<const Platform>(std::move(*platform));
}

// Returns the names of the fabrics in a platform's document that are there to run on, whatever else it holds.
Result<std::vector<std::string>> fabrics_in(const Result<JsonDocument>& platform) {
  if (!platform)
    return platform.errors();
  std::vector<std::string> names;
  if (platform->root->is_object() && platform->root->contains("fabrics") && (*platform->root)["fabrics"].is_object())
    for (const auto& [name, fabric] : (*platform->root)["fabrics"].items())
      if (!fabric.is_object() || fabric.value("only_stage", json(false)) != true)
        names.push_back(name);
  return names;
}

// Whether it is a step of training, or an answer.
bool is_of_model(const json& root) {
  return root.is_object() && root.contains("workload") && root["workload"].is_object() &&
         (root["workload"].contains("training") || root["workload"].contains("inference"));
}

// Benchmarks of GPUs, and steps of training, take no fabric, so any will do. Such a step takes all GPUs.
void add_fabric_of_gpus(const std::string& platform, const ScenarioEdits& edits, json& root) {
  if (is_of_model(root) && !root.contains("ranks"))
    root["ranks"]["on"] = json::array({"*gpu*"});
  const json::json_pointer at("/workload/benchmark");
  if (!root.is_object() || root.contains("fabric"))
    return;
  const auto* kind = root.contains(at) && root[at].is_string() ? find_benchmark(root[at].get<std::string>()) : nullptr;
  if (!is_of_model(root) && (!kind || !kind->gpu))
    return;
  if (const auto fabrics = fabrics_in(document_of(platform, edits)); fabrics && !fabrics->empty())
    root["fabric"] = fabrics->front();
}

// Spreads the ranks of a recording over the devices of a pattern, unless the scenario states how many there are.
void spread_evenly(const std::string& recording, json& scenario) {
  const auto states = [&](const char* key) { return scenario["ranks"].contains(key); };
  if (!scenario.contains("ranks") || !states("on") || states("per_device") || states("per_node") || states("count") ||
      scenario.contains(json::json_pointer("/workload/replay/grown_from")))
    return;
  if (const auto ranks = recorded_ranks(recording); ranks > 0)
    scenario["ranks"]["count"] = ranks;
}

// A scenario that only options state. It is on the platform's only fabric if they name none. `recording`: a folder that
// it replays; empty: none.
Result<JsonDocument> stated_scenario(const ScenarioEdits& edits, const std::string& recording) {
  const auto fault = [](std::string message) { return usage_error(std::move(message)); };
  if (edits.platform.empty())
    return fault(recording.empty() ? "SCENARIO is missing; or --platform, --benchmark and --ranks, which state one"
                                   : fmt::format("{} is a folder; --platform and --ranks state where to replay it, if "
                                                 "it is a recording",
                                                 recording));
  const auto fabrics = fabrics_in(document_of(edits.platform, edits));
  if (!fabrics)
    return fabrics.errors();
  JsonDocument document{"the command line", {}, {}};
  (*document.root)["platform"] = edits.platform;
  if (fabrics->size() == 1)
    (*document.root)["fabric"] = fabrics->front();
  if (!recording.empty())
    (*document.root)["workload"]["replay"]["recorded"] = recording;
  auto errors = apply(edits, false, document);
  auto& root = *document.root;
  if (!recording.empty())
    spread_evenly(recording, root);
  add_fabric_of_gpus(edits.platform, edits, root);
  if (!root.contains("workload"))
    errors.push_back(fault("--benchmark or --training is missing, or a scenario file"));
  if (!root.contains("ranks"))
    errors.push_back(fault("--ranks is missing, or a scenario file"));
  if (!root.contains("fabric"))
    errors.push_back(fault(fmt::format("--fabric is missing; {} has {}", edits.platform, fmt::join(*fabrics, ", "))));
  if (!errors.empty())
    return errors;
  const auto name = std::filesystem::path(recording).filename().string();
  Faults unfit("");
  if (!recording.empty())
    root["name"] = check_name(name, "", unfit) ? name : "replay";
  else
    root["name"] = is_of_model(root)              ? json(root["workload"].begin().key())
                   : root["workload"].is_object() ? root["workload"].value("benchmark", json("run"))
                                                  : json("run");
  return document;
}

struct EditedScenario {
  JsonDocument document;
  std::string platform; // a file name
  // The field that the reference was measured with and that an edit changes, if there is one.
  std::string without_reference;
  std::optional<JsonValue> ranks_before;
};

std::string platform_in(const JsonDocument& document) {
  const auto& root = *document.root;
  return root.is_object() && root.contains("platform") && root["platform"].is_string()
             ? beside(document.file, root["platform"].get<std::string>())
             : "";
}

// Returns the first field that differs among those with which a curve was measured; empty: none does.
std::string measured_otherwise(const json& before, const json& after) {
  for (const auto* field : {"/fabric", "/workload/benchmark"}) {
    const json::json_pointer at(field);
    if (before.contains(at) && (!after.contains(at) || before[at] != after[at]))
      return field;
  }
  return "";
}

// Whether two lists state the same devices. Either may have names or patterns; the earlier one is not checked yet.
bool are_same_ranks(const json& before, const json& after, const Platform& platform) {
  const auto is_text = [](const json& name) { return name.is_string(); };
  if (!before.is_array() || !std::ranges::all_of(before, is_text))
    return false;
  Faults faults("");
  return read_ranks(before, platform, faults) == read_ranks(after, platform, faults) && faults.empty();
}

bool is_same_file(const std::string& one, const std::string& other) {
  std::error_code none;
  return one == other || std::filesystem::equivalent(one, other, none);
}

// The errors of a platform file in a scenario's place.
Errors wrong_kind(const JsonDocument& document) {
  const auto& root = *document.root;
  if (!root.is_object() || !root.contains("fabrics") || root.contains("workload"))
    return {};
  return {
      file_error(ErrorKind::input, document.file,
                 fmt::format("a platform, not a scenario; `kakehashi list {0}` shows what is in it, and --platform {0} "
                             "--benchmark imb-pingpong --ranks DEVICE,DEVICE run something on it",
                             shell_word(document.file)))};
}

Result<EditedScenario> read_document(const std::string& file, const ScenarioEdits& edits) {
  std::error_code none;
  const bool is_folder = std::filesystem::is_directory(file, none);
  auto document = file.empty() || is_folder ? stated_scenario(edits, file) : document_or_input(file, edits);
  if (!document)
    return is_log(file) ? Errors{file_error(
                              ErrorKind::input, file,
                              "not JSON; if it is the log of a benchmark, `kakehashi explain` and `calibrate` read it")}
                        : document.errors();
  EditedScenario edited{std::move(*document), "", "", {}};
  const auto named = platform_in(edited.document);
  auto& root = *edited.document.root;
  const json before = root;
  if (auto errors = wrong_kind(edited.document); !errors.empty())
    return errors;
  if (!file.empty() && !is_folder)
    if (auto errors = apply(edits, false, edited.document); !errors.empty())
      return errors;
  if (auto errors = apply_algorithm(edits, edited.document); !errors.empty())
    return errors;
  edited.platform = edits.platform.empty() ? platform_in(edited.document) : edits.platform;
  add_fabric_of_gpus(edited.platform, edits, root);
  if (!root.is_object() || !root.contains("reference") || before.value("reference", json()) != root["reference"])
    return edited;
  if (before.contains("ranks") && before["ranks"] != root.value("ranks", json()))
    edited.ranks_before = JsonValue(before["ranks"]);
  edited.without_reference = is_same_file(named, edited.platform) ? measured_otherwise(before, root) : "/platform";
  if (!edited.without_reference.empty())
    root.erase("reference");
  return edited;
}

} // namespace

bool is_log(const std::string& file) {
  std::error_code none;
  if (file.ends_with(".json") || !std::filesystem::is_regular_file(file, none)) // a pipe can be read only once
    return false;
  const auto text = read_text(file);
  const auto first = text ? text->find_first_not_of(" \t\r\n") : std::string::npos;
  return text && (first == std::string::npos || (*text)[first] != '{');
}

Result<std::vector<std::string>> fabrics_to_choose(const ScenarioEdits& edits) {
  return fabrics_in(document_of(edits.platform, edits));
}

Result<Scenario> scenario_of(const JsonDocument& document, const Result<SharedPlatform>& platform,
                             const std::optional<std::vector<std::string>>& other_ranks) {
  const json& root = *document.root;
  Faults faults(document.file);
  Scenario scenario;
  scenario.name = root["name"].get<std::string>();
  scenario.file = document.file;
  scenario.fabric = root["fabric"].get<std::string>();
  check_name(scenario.name, "/name", faults);
  Errors elsewhere; // in the files that this file names
  const auto mpi = read_mpi(document, faults, elsewhere);

  std::optional<std::size_t> ranks; // their number, if it is known
  if (other_ranks)
    ranks = other_ranks->size(); // there may be none
  else if (root["ranks"].is_array())
    ranks = root["ranks"].size();
  if (platform) {
    scenario.platform = *platform;
    check_fabric(scenario.fabric, *scenario.platform, faults);
    scenario.mpi = combined(scenario.platform->mpi, mpi);
    scenario.ranks = other_ranks ? named_devices(*other_ranks, *scenario.platform, faults)
                                 : read_ranks(root["ranks"], *scenario.platform, faults);
    scenario.core_order = core_order_of(root["ranks"]);
    if (!scenario.ranks.empty())
      ranks = scenario.ranks.size();
  } else {
    elsewhere = platform.errors();
  }

  const json& workload = root["workload"];
  std::vector<std::string_view> forms;
  for (const std::string_view form : {"benchmark", "steps", "boss_worker", "replay", "training", "inference"})
    if (workload.contains(form))
      forms.push_back(form);
  if (forms.size() != 1)
    faults.add("/workload",
               mismatch(fmt::format("{} of \"benchmark\", \"steps\", \"boss_worker\", \"replay\", \"training\" and "
                                    "\"inference\"",
                                    forms.empty() ? "none" : "several"),
                        "exactly one"));
  else if (forms.front() == "benchmark")
    scenario.workload = read_benchmark(workload, ranks, scenario.platform, faults);
  else if (workload.size() > 1)
    faults.add("/workload", mismatch(fmt::format("{} with keys of a benchmark", in_quotes(forms.front())), "it alone"));
  else if (forms.front() == "steps")
    scenario.workload = read_steps(workload["steps"], ranks, faults);
  else if (forms.front() == "boss_worker")
    scenario.workload = read_boss_worker(workload["boss_worker"], ranks, faults);
  else if (forms.front() == "replay")
    scenario.workload = read_replay(workload["replay"], document.file, ranks, faults, elsewhere);
  else
    scenario.workload = read_training(workload, document.file, ranks, faults, elsewhere);

  if (root.contains("what_if") && !scenario.ranks.empty())
    read_what_if(root["what_if"], scenario, faults);

  if (root.contains("reference")) {
    const auto* benchmark = std::get_if<Benchmark>(&scenario.workload);
    if (!benchmark) {
      faults.add("/reference", mismatch("a reference for a workload that is not a benchmark", "a benchmark"));
    } else if (workload.contains("benchmark")) {
      const auto file = beside(document.file, root["reference"]["curve"].get<std::string>());
      if (auto curve = read_reference(file, *benchmark, ranks))
        scenario.reference =
            Reference{std::move(*curve), *read_name<CurveUse>(root["reference"], "use", curve_use_names)};
      else
        elsewhere = joined(std::move(elsewhere), curve.errors());
    }
  }
  if (!faults.empty() || !elsewhere.empty())
    return joined(document.in_document_order(faults.take()), elsewhere);
  return scenario;
}

// Adds to faults by the schema those that a step of training has without the values that are at fault.
Errors with_layout_faults(Errors errors, JsonDocument document, const std::string& platform,
                          const ScenarioEdits& edits) {
  if (!is_of_model(*document.root))
    return errors;
  for (const auto& error : errors) {
    const json::json_pointer at(error.place.starts_with("/workload/") ? error.place : "");
    if (!at.empty() && document.root->contains(at) && (*document.root)[at.parent_pointer()].is_object())
      (*document.root)[at.parent_pointer()].erase(at.back());
  }
  if (!check_schema(document, scenario_schema_text).empty())
    return errors;
  const auto machine = document_of(platform, edits);
  const auto scenario = scenario_of(document, share(machine ? parse_platform(*machine) : machine.errors()), {});
  return scenario ? errors : document.in_document_order(joined(std::move(errors), scenario.errors()));
}

Result<ScenarioDocuments> read_documents(const std::string& file, const ScenarioEdits& edits) {
  auto edited = read_document(file, edits);
  if (!edited)
    return edited.errors();
  auto& scenario = edited->document;
  if (auto errors = check_schema(scenario, scenario_schema_text); !errors.empty())
    return by_option(with_layout_faults(std::move(errors), scenario, edited->platform, edits), edits, scenario.file,
                     "");
  auto platform = document_of(edited->platform, edits);
  if (platform)
    if (auto errors = apply(edits, true, *platform); !errors.empty())
      return errors;
  return ScenarioDocuments{std::move(scenario), std::move(platform), std::move(edited->without_reference),
                           std::move(edited->ranks_before)};
}

Result<Platform> read_platform(const std::string& file, const ScenarioEdits& edits) {
  auto document = document_of(file, edits);
  if (!document)
    return document.errors();
  if (auto errors = apply(edits, true, *document); !errors.empty())
    return errors;
  auto platform = parse_platform(*document);
  return platform ? std::move(platform) : by_option(platform.errors(), edits, "", file);
}

Result<Scenario> scenario_in(const ScenarioDocuments& documents, const ScenarioEdits& edits) {
  auto [document, platform, without_reference, ranks_before] = documents;
  const auto shared = platform ? share(parse_platform(*platform)) : platform.errors();
  if (shared && ranks_before && document.root->contains("reference") &&
      !are_same_ranks(**ranks_before, (*document.root)["ranks"], **shared)) {
    without_reference = "/ranks";
    document.root->erase("reference");
  }
  auto scenario = scenario_of(document, shared);
  if (!scenario)
    return by_option(scenario.errors(), edits, document.file, platform ? platform->file : "");
  scenario->without_reference = without_reference;
  const auto changes = machine_changes(edits);
  auto& machine = scenario->what_if.machine;
  machine.insert(machine.begin(), changes.begin(), changes.end());
  if (std::ranges::any_of(edits.fields, &Edit::is_in_platform))
    if (const auto file = document_of(documents.platform->file, edits))
      if (auto before = parse_platform(*file))
        scenario->what_if.before = std::make_shared<const Platform>(std::move(*before));
  return scenario;
}

Result<Scenario> read_scenario(const std::string& file, const ScenarioEdits& edits) {
  const auto documents = read_documents(file, edits);
  return documents ? scenario_in(*documents, edits) : documents.errors();
}

Result<Scenario> read_scenario_on(const std::string& file, const ScenarioEdits& edits,
                                  std::shared_ptr<const Platform> platform, const std::string& fabric,
                                  const std::vector<std::string>& devices) {
  auto documents = read_documents(file, edits);
  if (!documents)
    return documents.errors();
  (*documents->scenario.root)["fabric"] = fabric;
  return scenario_of(documents->scenario, Result<SharedPlatform>(std::move(platform)), devices);
}

} // namespace kakehashi
