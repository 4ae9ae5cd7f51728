#include "input/catalogue/catalogue_reader.hpp"

#include "input/json/checked.hpp"
#include "input/platform/platform_reader.hpp"
#include "input/scenario/scenario_reader.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <set>

namespace kakehashi {
namespace {

namespace fs = std::filesystem;

Target read_target(const Checked& entry) {
  Target target{
      entry.at("mean").number(), Bytes{entry.at("from_bytes").count()}, std::nullopt, {}, read_role(entry), {}, {}};
  if (const auto worst = entry.find("worst"))
    target.worst = worst->number();
  if (const auto outliers = entry.find("outlier_bytes"))
    for (const auto& size : outliers->elements())
      target.outliers.push_back(Bytes{size.count()});
  if (const auto missed = entry.find("missed"))
    target.missed = missed->text();
  if (const auto repeats = entry.find("repeats"))
    target.repeats = repeats->text();
  return target;
}

Result<std::map<std::string, Target>> read_targets(const std::string& file) {
  const auto document = read_json(file);
  if (!document)
    return document.errors();
  std::map<std::string, Target> targets; // targets by platform/curve
  try {
    for (const auto& [platform, curves] : Checked(*document->root, "").members())
      if (!curves.is_text()) // a note
        for (const auto& [curve, target] : curves.members())
          targets[platform + "/" + curve] = read_target(target);
  } catch (const Misfit& misfit) {
    return misfit.in(file);
  }
  return targets;
}

// Checks the role of a curve: one that set parameters is no prediction.
void check_role(const ReferenceCase& item, const std::string& file, Errors& errors) {
  const auto& reference = *item.scenario.reference;
  const auto role = reference.use == CurveUse::calibration ? Role::fit : Role::prediction;
  if (item.target && item.target->role && item.target->role != role)
    errors.push_back(input_error(
        file, fmt::format("/{}/{}/role", item.scenario.platform->name, reference.curve.name),
        mismatch(in_quotes(role_names[static_cast<std::size_t>(*item.target->role)]),
                 fmt::format("{}, for the curve's use in {} is {}", role_names[static_cast<std::size_t>(role)],
                             item.scenario.file, name_of(curve_use_names, reference.use)))));
}

// Checks that a source names only claims of its own platform.
void check_source(const Source& source, const std::string& place, const std::string& file,
                  const std::vector<std::string>& ids, Errors& errors) {
  for (const auto& id : source.claims)
    if (std::find(ids.begin(), ids.end(), id) == ids.end())
      errors.push_back(input_error(file, place + "/source/claims",
                                   mismatch(in_quotes(id), "the id of a claim for this platform"), closest(id, ids)));
}

void check_sources(const Platform& platform, const std::vector<std::string>& ids, Errors& errors) {
  const auto check = [&](const Source& source, const std::string& place) {
    check_source(source, place, platform.file, ids, errors);
  };
  for (std::size_t i = 0; i < platform.peer_limits.size(); ++i)
    check(platform.peer_limits[i].source, fmt::format("/peer_limits/{}", i));
  for (const auto& fabric : platform.fabrics) {
    for (std::size_t i = 0; i < fabric.rules.size(); ++i)
      for (std::size_t j = 0; j < fabric.rules[i].regimes.size(); ++j)
        check(fabric.rules[i].regimes[j].source, fmt::format("/fabrics/{}/rules/{}/regimes/{}", fabric.name, i, j));
    for (std::size_t i = 0; i < fabric.adjustments.size(); ++i)
      check(fabric.adjustments[i].source, fmt::format("/fabrics/{}/adjustments/{}", fabric.name, i));
  }
  std::set<const Source*> seen; // links of a template share their sources
  for (const auto& link : platform.links)
    if (link.source && seen.insert(link.source.get()).second)
      check(*link.source, "link " + link.name);
}

std::vector<std::string> files_in(const fs::path& folder) {
  std::vector<std::string> files;
  std::error_code status;
  for (const auto& entry : fs::directory_iterator(folder, status))
    if (entry.path().extension() == ".json")
      files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

} // namespace

Result<Catalogue> read_catalogue(const std::string& root, const std::string& platform) {
  const auto wanted = [&](const std::string& name) { return platform == "all" || platform == name; };
  Catalogue catalogue;
  Errors errors;
  const auto gather = [&](const Errors& more) { errors.insert(errors.end(), more.begin(), more.end()); };

  std::vector<std::string> names{"all"};
  std::map<std::string, std::shared_ptr<const Platform>> platforms;
  for (const auto& file : files_in(fs::path(root) / "platforms")) {
    const auto name = fs::path(file).stem().string();
    if (name.ends_with(".schema"))
      continue;
    names.push_back(name);
    if (!wanted(name))
      continue;
    if (auto read = read_platform(file))
      platforms[name] = std::make_shared<const Platform>(std::move(*read));
    else
      gather(read.errors());
  }
  const auto reference = fs::path(root) / "scenarios" / "reference";
  auto targets = read_targets((reference / "targets.json").string());
  if (!targets)
    return targets.errors();
  std::map<std::string, Scenario> scenarios; // scenarios by platform/name
  for (const auto& [name, read] : platforms)
    for (const auto& file : files_in(fs::path(root) / "scenarios" / name)) {
      auto scenario = read_scenario(file);
      std::error_code status;
      if (scenario && fs::equivalent(scenario->platform->file, read->file, status))
        scenario->platform = read; // one platform object for all, so that equal runs are recognised
      if (!scenario) {
        gather(scenario.errors());
      } else if (scenario->reference) {
        const auto target = targets->find(name + "/" + scenario->reference->curve.name);
        catalogue.curves.push_back(
            {std::move(*scenario), target == targets->end() ? std::nullopt : std::optional(target->second)});
        check_role(catalogue.curves.back(), (reference / "targets.json").string(), errors);
      } else {
        scenarios.emplace(name + "/" + scenario->name, std::move(*scenario));
      }
    }

  const auto document = read_json((reference / "claims.json").string());
  if (!document)
    return document.errors();
  auto claims = read_claims(*document, platforms, scenarios);
  if (!claims)
    return claims.errors();
  std::map<std::string, std::vector<std::string>> ids; // ids by platform
  for (const auto& item : *claims)
    ids[item.claim.platform].push_back(item.claim.id);
  for (const auto& [name, read] : platforms)
    check_sources(*read, ids[name], errors);
  for (auto& item : *claims) {
    names.push_back(item.claim.platform);
    if (wanted(item.claim.platform))
      catalogue.claims.push_back(std::move(item));
  }
  if (std::find(names.begin(), names.end(), platform) == names.end()) {
    const std::set<std::string> each(names.begin(), names.end());
    return usage_error(mismatch("the platform " + in_quotes(platform), fmt::format("{}", fmt::join(each, ", "))),
                       closest(platform, names));
  }
  if (!errors.empty())
    return errors;
  return catalogue;
}

} // namespace kakehashi
