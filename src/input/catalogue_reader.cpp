#include "input/catalogue_reader.hpp"

#include "input/fields.hpp"
#include "input/platform_reader.hpp"
#include "input/scenario_reader.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

namespace kakehashi {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

// The quantity that a claim bounds.
struct Bound {
  const char* key;
  bool is_latency;
  Claim::Comparison comparison;
};
constexpr Bound bounds[] = {{"latency_us", true, Claim::Comparison::none},
                            {"bandwidth_mb_s", false, Claim::Comparison::none},
                            {"bandwidth_ratio", false, Claim::Comparison::ratio},
                            {"difference_us", true, Claim::Comparison::difference}};

// The runs that the claim compares: one, one for each fabric, or one for each pair of endpoints.
std::vector<ClaimRun> read_runs(const json& entry) {
  std::vector<ClaimRun> runs;
  const auto text = [&](const char* key) { return entry.value(key, std::string()); };
  if (entry.contains("fabrics"))
    for (const auto& fabric : entry["fabrics"])
      runs.push_back({fabric.get<std::string>(), text("from"), text("to")});
  else if (entry.contains("pairs"))
    for (const auto& pair : entry["pairs"])
      runs.push_back({text("fabric"), pair.at(0).get<std::string>(), pair.at(1).get<std::string>()});
  else if (entry.contains("from"))
    runs.push_back({text("fabric"), text("from"), text("to")});
  return runs;
}

Claim read_claim(const json& entry, const std::string& platform) {
  Claim claim;
  claim.id = entry.at("id").get<std::string>();
  claim.platform = platform;
  claim.benchmark = entry.at("benchmark").get<std::string>();
  claim.size = Bytes{entry.value("bytes", std::uint64_t{0})};
  const bool can_run = claim.benchmark == "pingpong" || claim.benchmark.starts_with("osu_");
  for (const auto& [key, is_latency, comparison] : bounds) {
    if (!entry.contains(key))
      continue;
    claim.is_latency = is_latency;
    claim.comparison = comparison;
    claim.low = entry[key].at("between").at(0).get<double>();
    claim.high = entry[key].at("between").at(1).get<double>();
    if (can_run)
      claim.runs = read_runs(entry);
  }
  const std::size_t needed = claim.comparison == Claim::Comparison::none ? 1 : 2;
  if (claim.runs.size() != needed)
    claim.runs.clear();
  return claim;
}

Target read_target(const json& entry) {
  Target target{entry.at("mean").get<double>(), Bytes{entry.at("from_bytes").get<std::uint64_t>()}, std::nullopt, {}};
  if (entry.contains("worst"))
    target.worst = entry["worst"].get<double>();
  for (const auto size : entry.value("outlier_bytes", std::vector<std::uint64_t>{}))
    target.outliers.push_back(Bytes{size});
  return target;
}

Result<std::map<std::string, Target>> read_targets(const std::string& file) {
  const auto document = read_json(file);
  if (!document)
    return document.errors();
  std::map<std::string, Target> targets; // by platform/curve
  try {
    for (const auto& [platform, curves] : document->root.items())
      if (curves.is_object())
        for (const auto& [curve, target] : curves.items())
          targets[platform + "/" + curve] = read_target(target);
  } catch (const json::exception& problem) {
    return Error{ErrorKind::input, file, "", problem.what(), ""};
  }
  return targets;
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

Result<std::vector<Claim>> parse_claims(const JsonDocument& document) {
  std::vector<Claim> claims;
  try {
    for (const auto& [platform, list] : document.root.items())
      if (list.is_array())
        for (const auto& entry : list)
          claims.push_back(read_claim(entry, platform));
  } catch (const json::exception& problem) {
    return Error{ErrorKind::input, document.file, "", problem.what(), ""};
  }
  return claims;
}

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
  for (const auto& [name, read] : platforms)
    for (const auto& file : files_in(fs::path(root) / "scenarios" / name)) {
      auto scenario = read_scenario(file);
      if (!scenario)
        gather(scenario.errors());
      else if (scenario->reference) {
        const auto target = targets->find(name + "/" + scenario->reference->curve.name);
        catalogue.curves.push_back(
            {std::move(*scenario), target == targets->end() ? std::nullopt : std::optional(target->second)});
      }
    }

  const auto document = read_json((reference / "claims.json").string());
  if (!document)
    return document.errors();
  auto claims = parse_claims(*document);
  if (!claims)
    return claims.errors();
  for (auto& claim : *claims) {
    names.push_back(claim.platform);
    if (!wanted(claim.platform))
      continue;
    const auto found = platforms.find(claim.platform);
    catalogue.claims.push_back({std::move(claim), found == platforms.end() ? nullptr : found->second});
  }
  if (std::find(names.begin(), names.end(), platform) == names.end())
    return Error{ErrorKind::usage, "", "",
                 mismatch("the platform " + in_quotes(platform), "all or a platform that is shipped"),
                 closest(platform, names)};
  if (!errors.empty())
    return errors;
  return catalogue;
}

} // namespace kakehashi
