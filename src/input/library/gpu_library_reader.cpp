#include "input/library/gpu_library_reader.hpp"

#include "base/data_folder.hpp"
#include "base/number.hpp"
#include "input/json/fields.hpp"
#include "input/json/schema.hpp"
#include "model/platform.hpp"

#include <algorithm>
#include <cassert>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <mutex>

namespace kakehashi {
namespace {

using nlohmann::json;

// Files count times in us and rates in GB/s.
Seconds us_of(const json& object, const char* key) {
  return microseconds(object.value(key, 0.0));
}
BytesPerSecond rate_of(const json& object, const char* key) {
  return gigabytes_per_second(object.value(key, 0.0));
}

PerProtocol<Seconds> times_of(const json& list) {
  PerProtocol<Seconds> times;
  for (std::size_t i = 0; i < times.size(); ++i)
    times[i] = microseconds(list[i].get<double>());
  return times;
}

TunerLatencies latencies_of(const json& object) {
  return {times_of(object["tree"]),   times_of(object["ring"]),        us_of(object, "nvls"),
          us_of(object, "nvls_tree"), us_of(object, "collnet_direct"), us_of(object, "collnet_chain"),
          us_of(object, "pat")};
}

PerProtocol<GpuHop> hops_of(const json& list) {
  PerProtocol<GpuHop> hops;
  for (std::size_t i = 0; i < hops.size(); ++i)
    hops[i] = {us_of(list[i], "start"), us_of(list[i], "hop"), rate_of(list[i], "channel"),
               list[i]["share"].get<double>()};
  return hops;
}

GpuRemotePairs remote_pairs_of(const json& object) {
  GpuRemotePairs pairs{
      us_of(object, "peer"), us_of(object, "short"), Bytes{object.value("short_to", std::uint64_t{0})}, {}};
  if (object.contains("share"))
    pairs.share = object["share"].get<double>();
  return pairs;
}

TunerRelease release_of(const json& object) {
  TunerRelease release;
  release.from = parse_gpu_release(object["from"].get<std::string>()).value_or(GpuRelease{});
  release.base = latencies_of(object["base"]);
  release.nvlink = latencies_of(object["nvlink"]);
  release.pcie = latencies_of(object["pcie"]);
  release.network = latencies_of(object["network"]);
  release.ll_share = object.value("ll_share", release.ll_share);
  release.ll_share_gather = object.value("ll_share_gather", release.ll_share_gather);
  release.ll_hop_factor = object.value("ll_hop_factor", release.ll_hop_factor);
  release.two_node_tree = object.value("two_node_tree", release.two_node_tree);
  release.two_node_tree_switch = object.value("two_node_tree_switch", release.two_node_tree);
  release.counts_all_borders = object.value("counts_all_borders", release.counts_all_borders);
  release.counts_posts = object.value("counts_posts", release.counts_posts);
  release.nvls_ratio = object.value("nvls_ratio", release.nvls_ratio);
  release.has_nvls = object.value("has_nvls", release.has_nvls);
  release.has_pat = object.value("has_pat", release.has_pat);
  release.has_collnet = object.value("has_collnet", release.has_collnet);
  release.limits_bus = object.value("limits_bus", release.limits_bus);
  release.alternates = object.value("alternates", release.alternates);
  release.chain_share = object.value("chain_share", release.chain_share);
  release.tells_hopper = object.value("tells_hopper", release.tells_hopper);
  return release;
}

GpuGeneration generation_of(const json& object) {
  GpuGeneration generation;
  generation.name = object["name"].get<std::string>();
  generation.gpus = object["gpus"].get<std::vector<std::string>>();
  generation.links = object["links"].get<std::string>();
  generation.tuner_row = object["tuner_row"].get<int>();
  generation.link_rate = rate_of(object, "link_rate");
  generation.link_line = rate_of(object, "link_line");
  generation.speeds_inside = object["speeds_inside"].get<std::vector<double>>();
  generation.speeds_between = object["speeds_between"].get<std::vector<double>>();
  generation.splits_from = object["splits_from"].get<double>();
  generation.most_channels = object["most_channels"].get<int>();
  if (object.contains("channels"))
    for (const auto& each : object["channels"])
      generation.channels.push_back(
          {each.value("ranks", std::size_t{0}), each.value("leaves", false), each["channels"].get<int>()});
  generation.bus_most = object.value("bus_most", 0.0);
  generation.ll_most = object["ll_most"].get<std::array<double, 3>>();
  generation.ll128_ring = object["ll128_ring"].get<std::array<double, 3>>();
  generation.ll128_tree = object["ll128_tree"].get<std::array<double, 3>>();
  generation.tree_most = object["tree_most"].get<std::array<double, 3>>();
  generation.nvls_efficiency = object.value("nvls_efficiency", 0.0);
  generation.nvls_channels = object.value("nvls_channels", generation.nvls_channels);
  generation.launch = us_of(object, "launch");
  generation.hops = hops_of(object["hops"]);
  for (std::size_t i = 0; i < gpu_operation_count; ++i)
    generation.copy_steps[i] = object["copy_steps"].value(std::string(gpu_operation_names[i]), 0.0);
  generation.fill = object["fill"].get<double>();
  generation.shared_host = object.value("shared_host", generation.shared_host);
  generation.nvls_start = us_of(object, "nvls_start");
  generation.nvls_share = object.value("nvls_share", 0.0);
  generation.nvls_fill = object.value("nvls_fill", 0.0);
  generation.nvls_least = object.value("nvls_least", generation.nvls_least);
  const auto& pairs = object["pairs"];
  generation.pairs = {us_of(pairs, "start"), us_of(pairs, "simple"), us_of(pairs, "peer"), pairs["share"].get<double>(),
                      pairs["copies"].get<double>()};
  generation.until = parse_gpu_release(object.value("until", "")).value_or(GpuRelease{});
  generation.source = {SourceKind::spec, object["source"].get<std::string>(), {}};
  return generation;
}

GpuAdapter adapter_of(const json& object) {
  return {object["name"].get<std::string>(),
          object["models"].get<std::vector<std::string>>(),
          object["links"].get<std::vector<std::string>>(),
          rate_of(object, "from_line"),
          us_of(object, "floor"),
          hops_of(object["tree"]),
          times_of(object["ring"]),
          object["granule"].get<double>(),
          object["start_share"].get<double>(),
          remote_pairs_of(object["pairs"]),
          {SourceKind::spec, object["source"].get<std::string>(), {}}};
}

GpuLibrary library_of(const json& root) {
  GpuLibrary library;
  library.name = root["name"].get<std::string>();
  library.title = root["title"].get<std::string>();
  library.usual = parse_gpu_release(root["usual"].get<std::string>()).value_or(GpuRelease{});
  library.post_intel = us_of(root, "post_intel");
  library.post_amd = us_of(root, "post_amd");
  for (std::size_t i = 0; i < gpu_protocol_count; ++i)
    library.tree_factors[i] = root["tree_factors"][i].get<std::vector<double>>();
  for (const auto& each : root["releases"])
    library.releases.push_back(release_of(each));
  for (const auto& each : root["generations"])
    library.generations.push_back(generation_of(each));
  for (const auto& each : root["adapters"])
    library.adapters.push_back(adapter_of(each));
  if (root.contains("borders"))
    for (const auto& each : root["borders"])
      library.borders.push_back({each.contains("to") ? Bytes{each["to"].get<std::uint64_t>()} : largest_size,
                                 *read_name<GpuProtocol>(each, "protocol", gpu_protocol_names),
                                 *read_name<GpuAlgorithm>(each, "between", gpu_algorithm_names)});
  if (root.contains("lacks"))
    for (std::size_t i = 0; i < gpu_algorithm_count; ++i)
      if (std::ranges::any_of(root["lacks"], [&](const auto& each) { return each == gpu_algorithm_names[i]; }))
        library.lacks.push_back(static_cast<GpuAlgorithm>(i));
  library.changes_adapter = root.value("changes_adapter", false);
  library.not_modelled = root["not_modelled"].get<std::vector<std::string>>();
  return library;
}

// That of the data folder, or what was compiled in where there is none.
Result<JsonDocument> document_of(std::string_view name) {
  const auto folder = find_data_folder();
  const auto file = folder ? fmt::format("{}/libraries/gpu/{}.json", *folder, name) : "";
  if (std::error_code none; folder && std::filesystem::exists(file, none)) {
    const auto text = read_text(file);
    auto document = text ? parse_json(*text, file) : Result<JsonDocument>(text.errors());
    if (auto faults = document ? check_schema(*document, gpu_library_schema_text) : Errors{}; !faults.empty())
      return faults;
    return document;
  }
  const auto all = embedded_gpu_libraries();
  const auto found = std::ranges::find(all, name, &EmbeddedLibrary::name);
  assert(found != all.end());
  return parse_json(std::string(found->text), std::string(name));
}

// A row of that name among the file's before it, or of the library that the file follows.
const json* find_row(const json& list, std::size_t before, const json& followed, const std::string& name) {
  for (auto i = before; i > 0; --i)
    if (list[i - 1]["name"] == name)
      return &list[i - 1];
  for (const auto& row : followed)
    if (row["name"] == name)
      return &row;
  return nullptr;
}

// With what the file leaves to the library that it follows, and its rows to those that they are like.
// Null in `followed`: it follows none.
json whole(const json& root, const json& followed_root, Faults& faults) {
  if (followed_root.contains("follows")) {
    faults.add("/follows", "a library that follows another one cannot be followed");
    return root;
  }
  auto followed = followed_root.is_null() ? json::object() : whole(followed_root, {}, faults);
  auto own = root;
  for (const char* name : {"generations", "adapters"})
    for (std::size_t i = 0; own.contains(name) && i < own[name].size(); ++i) {
      auto& row = own[name][i];
      if (!row.contains("like"))
        continue;
      const auto* like = find_row(own[name], i, followed[name], row["like"].get<std::string>());
      if (!like) {
        faults.add(fmt::format("/{}/{}/like", name, i),
                   mismatch(in_quotes(row["like"].get<std::string>()),
                            "a row before it, or of the library that this one follows"));
        continue;
      }
      auto merged = *like;
      merged.merge_patch(row);
      row = std::move(merged);
    }
  json releases = json::array();
  for (const auto& row : own.value("releases", json::array()))
    (releases.emplace_back(releases.empty() ? json::object() : releases.back())).merge_patch(row);
  if (!releases.empty())
    own["releases"] = std::move(releases);
  followed.merge_patch(own);
  return followed;
}

} // namespace

Result<std::shared_ptr<const GpuLibrary>> read_gpu_library(const JsonDocument& document) {
  if (auto errors = check_schema(document, gpu_library_schema_text); !errors.empty())
    return errors;
  json followed;
  if (document.root->contains("follows")) {
    const auto other = document_of((*document.root)["follows"].get<std::string>());
    if (!other)
      return other.errors();
    followed = *other->root;
  }
  Faults faults(document.file);
  const auto root = whole(*document.root, followed, faults);
  for (const char* key : {"base", "nvlink", "pcie", "network"})
    if (faults.empty() && !root["releases"][0].contains(key))
      faults.add("/releases/0", fmt::format("the first release lacks \"{}\"", key));
  if (!faults.empty())
    return document.in_document_order(faults.take());
  auto library = library_of(root);
  if (library.releases.empty() || !std::ranges::is_sorted(library.releases, {}, &TunerRelease::from))
    return input_error(document.file, "/releases", "expected releases in ascending order");
  return std::make_shared<const GpuLibrary>(std::move(library));
}

const Result<std::shared_ptr<const GpuLibrary>>& gpu_library(std::string_view name) {
  static std::mutex mutex;
  static std::map<std::string, Result<std::shared_ptr<const GpuLibrary>>, std::less<>> shelf;
  const std::lock_guard lock(mutex);
  auto found = shelf.find(name);
  if (found == shelf.end()) {
    const auto document = document_of(name);
    found = shelf.emplace(name, document ? read_gpu_library(*document) : document.errors()).first;
  }
  return found->second;
}

} // namespace kakehashi
