#include "input/scenario/scenario_reader.hpp"

#include "input/json/schema.hpp"
#include "input/platform/platform_reader.hpp"
#include "input/scenario/fingerprint.hpp"
#include "input/scenario/scenario_parts.hpp"
#include "workload/benchmark/kind.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

namespace kakehashi {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 4> kinds{"order", "devices", "per_device", "field"};

// Returns the key that shows what an entry varies; none, with a fault, unless there is exactly one.
std::optional<std::string> kind_of(const json& entry, const std::string& place, Faults& faults) {
  std::vector<std::string> found;
  for (const auto kind : kinds)
    if (entry.contains(kind))
      found.emplace_back(kind);
  if (found.size() != 1) {
    faults.add(place, mismatch(fmt::format("{} of \"order\", \"devices\", \"per_device\" and \"field\"",
                                           found.empty() ? "none" : "several"),
                               "exactly one"));
    return std::nullopt;
  }
  for (const char* key : {"values", "range"})
    if (found.front() != "field" && entry.contains(key))
      faults.add(pointer_to(place, std::string(key)), "only \"field\" takes this key beside it");
  return found.front();
}

// Returns the ranks that may move: all but the fixed ones.
std::vector<std::size_t> moving_ranks(const json& object, std::size_t ranks, const std::string& place, Faults& faults) {
  std::set<std::size_t> fixed;
  if (object.contains("fixed"))
    for (std::size_t i = 0; i < object["fixed"].size(); ++i) {
      const auto rank = object["fixed"][i].get<std::size_t>();
      const auto at = pointer_to(place + "/fixed", i);
      if (rank >= ranks)
        faults.add(at, mismatch(fmt::format("{}", rank), fmt::format("a rank from 0 to {}", ranks - 1)));
      else if (!fixed.insert(rank).second)
        faults.add(at, mismatch(fmt::format("{} twice", rank), "each only once"));
    }
  std::vector<std::size_t> moving;
  for (std::size_t rank = 0; rank < ranks; ++rank)
    if (!fixed.contains(rank))
      moving.push_back(rank);
  if (moving.empty())
    faults.add(place, mismatch("no rank that may move", "at least one"));
  return moving;
}

Placement read_order(const json& order, const Scenario& scenario, const std::string& place, Faults& faults) {
  Placement placement;
  if (order.is_string() && order != "ranks")
    faults.add(place, mismatch(show(order), "\"ranks\", or an object"),
               closest(order.get<std::string>(), std::array<std::string, 1>{"ranks"}));
  placement.ranks = moving_ranks(order, scenario.ranks.size(), place, faults);
  placement.choose = placement.ranks.size();
  if (!order.contains("slots")) {
    for (const auto rank : placement.ranks)
      placement.slots.push_back(scenario.ranks[rank]);
    return placement;
  }
  placement.slots = matched_devices(order["slots"], place + "/slots", *scenario.platform, faults);
  if (!placement.slots.empty() && placement.slots.size() < placement.ranks.size())
    faults.add(place + "/slots",
               mismatch(counted(placement.slots.size(), "device"),
                        fmt::format("at least {}, one for each rank that may move", placement.ranks.size())));
  return placement;
}

Placement read_devices(const json& object, const Scenario& scenario, const std::string& place, Faults& faults) {
  Placement placement;
  placement.is_ordered = false;
  placement.ranks = moving_ranks(object, scenario.ranks.size(), place, faults);
  placement.slots = matched_devices(object["from"], place + "/from", *scenario.platform, faults);
  placement.choose = object["choose"].get<std::size_t>();
  if (!placement.slots.empty() && placement.choose > placement.slots.size())
    faults.add(place + "/choose", mismatch(fmt::format("{}", placement.choose),
                                           fmt::format("at most {}, which \"from\" matches", placement.slots.size())));
  else if (placement.ranks.size() % placement.choose != 0)
    faults.add(place + "/choose",
               mismatch(fmt::format("{}", placement.choose),
                        fmt::format("a divisor of {}, the number of ranks that may move", placement.ranks.size())));
  return placement;
}

std::optional<Dimension> read_per_device(const json& object, const Scenario& scenario, const std::string& place,
                                         Faults& faults) {
  Dimension dimension;
  dimension.place = place;
  dimension.devices = matched_devices(object["on"], place + "/on", *scenario.platform, faults);
  std::vector<std::string> patterns;
  for (const auto& pattern : object["on"])
    patterns.push_back(pattern.get<std::string>());
  dimension.name = fmt::format("ranks on {}", fmt::join(patterns, "+"));
  for (std::size_t i = 0; i < object["values"].size(); ++i)
    dimension.values.push_back({object["values"][i].dump(), pointer_to(place + "/values", i), object["values"][i]});
  if (dimension.devices.empty())
    return std::nullopt;
  return dimension;
}

void check_values(const std::vector<Dimension>& dimensions, Faults& faults) {
  std::set<std::string> names;
  for (const auto& dimension : dimensions) {
    if (!names.insert(dimension.name).second)
      faults.add(dimension.place, mismatch(in_quotes(dimension.name) + " twice", "each only once"));
    std::map<std::string, std::string> texts; // texts by meaning
    for (const auto& value : dimension.values)
      if (const auto [known, is_new] = texts.try_emplace(meaning_of(value.value), value.text); !is_new)
        faults.add(value.place, mismatch(known->second == value.text
                                             ? value.text + " twice"
                                             : fmt::format("{}, which is {} once more", value.text, known->second),
                                         "each only once"));
  }
}

Objective read_objective(const json& sweep, const Scenario& scenario, Faults& faults) {
  const auto objective = read_name<Objective>(sweep, "objective", objective_names).value_or(Objective::time);
  const auto* benchmark = std::get_if<Benchmark>(&scenario.workload);
  if (objective == Objective::bandwidth && (!benchmark || kind_of(*benchmark).collective))
    faults.add("/sweep/objective", mismatch("\"bandwidth\" for a workload that prints none", "\"time\""));
  return objective;
}

// Reads the dimensions other than the devices of ranks.
std::vector<Dimension> read_vary(const json& root, const SweepDocuments& documents, Sweep& sweep, Faults& faults) {
  const auto& scenario = documents.scenario;
  std::vector<Dimension> dimensions;
  bool has_per_device = false;
  for (std::size_t i = 0; i < root["sweep"]["vary"].size(); ++i) {
    const json& entry = root["sweep"]["vary"][i];
    const auto place = pointer_to("/sweep/vary", i);
    const auto kind = kind_of(entry, place, faults);
    if (!kind)
      continue;
    const auto at = pointer_to(place, *kind);
    std::optional<Dimension> dimension;
    if (*kind == "field") {
      dimension = read_field_dimension(entry, place, root, *documents.platform.root, faults);
    } else if (*kind == "per_device") {
      dimension = read_per_device(entry["per_device"], scenario, at, faults);
      has_per_device = true;
    } else {
      if (sweep.placement)
        faults.add(at, mismatch("a second order or choice of devices", "only one"));
      sweep.placement = *kind == "order" ? read_order(entry["order"], scenario, at, faults)
                                         : read_devices(entry["devices"], scenario, at, faults);
    }
    if (dimension)
      dimensions.push_back(std::move(*dimension));
  }
  if (has_per_device && sweep.placement)
    faults.add("/sweep/vary", mismatch("\"per_device\" beside an order or choice of devices", "only one of them"));
  check_values(dimensions, faults);
  return dimensions;
}

} // namespace

Result<Sweep> read_sweep(const std::string& file, const ScenarioEdits& edits, bool is_usual) {
  auto read = read_documents(file, edits);
  if (!read)
    return read.errors();
  auto& document = read->scenario;
  if ((file.empty() || is_usual) && !document.root->contains("sweep"))
    (*document.root)["sweep"] = {{"vary", json::array({{{"order", "ranks"}}})}};
  if (!document.root->contains("sweep"))
    return file_error(ErrorKind::input, file, "the key \"sweep\" is missing; it states what varies");
  const auto scenario = scenario_in(*read, edits);
  if (!scenario)
    return scenario.errors();

  Sweep sweep;
  Faults faults(document.file);
  sweep.objective = read_objective((*document.root)["sweep"], *scenario, faults);
  const SweepDocuments documents{document, *read->platform, *scenario};
  const auto dimensions = read_vary(*document.root, documents, sweep, faults);
  if (faults.empty())
    expand(documents, dimensions, sweep, faults);
  if (!faults.empty())
    return document.in_document_order(faults.take());
  const auto fingerprint = fingerprint_of({document.root->dump(), read->platform->root->dump()}, sweep.variants);
  if (!fingerprint)
    return fingerprint.errors();
  sweep.fingerprint = *fingerprint;
  return sweep;
}

Result<std::variant<Platform, Scenario>> read_any(const std::string& file, const ScenarioEdits& edits) {
  auto document = document_or_input(file, edits);
  if (!document)
    return document.errors();
  auto known = edits;
  const auto name = document->file;
  const auto& read = known.documents.insert_or_assign(name, std::move(*document)).first->second;
  using Either = std::variant<Platform, Scenario>;
  const auto either = [](auto result) -> Result<Either> {
    if (!result)
      return result.errors();
    return Either{std::move(*result)};
  };
  const auto& root = *read.root;
  if (root.is_object() && root.contains("sweep") && root.contains("workload")) {
    auto sweep = read_sweep(name, known);
    if (!sweep)
      return sweep.errors();
    return Either{std::move(sweep->variants.front().scenario)};
  }
  if (root.is_object() && (root.contains("workload") || root.contains("ranks")))
    return either(read_scenario(name, known));
  if (root.is_object() && root.contains("fabrics"))
    return either(parse_platform(read));
  return file_error(ErrorKind::input, name,
                    mismatch("neither \"fabrics\" nor \"workload\"", "a platform or a scenario"));
}

} // namespace kakehashi
