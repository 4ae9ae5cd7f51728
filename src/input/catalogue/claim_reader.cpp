// The claims of the documents: what each bounds, and the runs that give the number.
#include "input/catalogue/catalogue_reader.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace kakehashi {
namespace {

using nlohmann::json;
using Number = Claim::Number;
using Comparison = Claim::Comparison;

struct Bound {
  const char* key;
  Number number;
  Comparison comparison;
};
constexpr Bound bounds[] = {{"latency_us", Number::time, Comparison::none},
                            {"bandwidth_mb_s", Number::bandwidth, Comparison::none},
                            {"slowest_link_mb_s", Number::bandwidth, Comparison::none},
                            {"bandwidth_ratio", Number::bandwidth, Comparison::ratio},
                            {"difference_us", Number::time, Comparison::difference},
                            {"ratio_dapl_to_tcp_throughput", Number::throughput, Comparison::ratio},
                            {"ratio_old_to_new_time", Number::time, Comparison::ratio}};

Claim read_bounds(const json& entry, const std::string& platform) {
  Claim claim;
  claim.id = entry.at("id").get<std::string>();
  claim.platform = platform;
  if (entry.contains("first_wins_through_bytes")) {
    claim.comparison = Comparison::crossover;
    claim.low = entry["first_wins_through_bytes"].get<double>();
    if (!entry.at("second_wins_from_bytes").is_null())
      claim.high = entry["second_wins_from_bytes"].get<double>();
    return claim;
  }
  for (const auto& [key, number, comparison] : bounds) {
    if (!entry.contains(key))
      continue;
    claim.number = number;
    claim.comparison = comparison;
    claim.low = entry[key].at("between").at(0).get<double>();
    claim.high = entry[key].at("between").at(1).get<double>();
  }
  return claim;
}

class RunBuilder {
public:
  RunBuilder(ClaimCase& item, std::shared_ptr<const Platform> platform) : item_(item), platform_(std::move(platform)) {}

  // A benchmark of one size on devices by name.
  void add(const std::string& name, const std::string& fabric, const std::vector<std::string>& devices,
           std::vector<Bytes> sizes) {
    Scenario scenario;
    scenario.name = item_.claim.id;
    scenario.file = platform_->file;
    scenario.platform = platform_;
    scenario.mpi = platform_->mpi;
    scenario.fabric = fabric;
    if (!find_fabric(*platform_, fabric))
      return miss("fabric " + fabric);
    for (const auto& device : devices) {
      const auto found = find_device(*platform_, device);
      if (!found || !can_run_ranks(platform_->devices[*found].kind))
        return miss("device " + device + " for ranks");
      scenario.ranks.push_back(*found);
    }
    Benchmark benchmark;
    benchmark.name = name;
    benchmark.sizes = std::move(sizes);
    scenario.workload = std::move(benchmark);
    item_.runs.push_back(std::move(scenario));
  }

  void miss(const std::string& what) {
    item_.fault = mismatch("no " + what + " in " + platform_->file, "it for the claim " + item_.claim.id);
  }

private:
  ClaimCase& item_;
  std::shared_ptr<const Platform> platform_;
};

std::string text_in(const json& entry, const char* key) {
  return entry.value(key, std::string());
}

// Runs between two devices: one, one for each fabric, or one for each pair of devices.
void add_pairs(RunBuilder& runs, const json& entry, const std::string& name, const std::vector<Bytes>& sizes) {
  if (entry.contains("fabrics"))
    for (const auto& fabric : entry["fabrics"])
      runs.add(name, fabric.get<std::string>(), {text_in(entry, "from"), text_in(entry, "to")}, sizes);
  else if (entry.contains("pairs"))
    for (const auto& pair : entry["pairs"])
      runs.add(name, text_in(entry, "fabric"), pair.get<std::vector<std::string>>(), sizes);
  else
    runs.add(name, text_in(entry, "fabric"), {text_in(entry, "from"), text_in(entry, "to")}, sizes);
}

// The initiator is rank 0: it writes what it has, or reads what the other has.
void add_remote(RunBuilder& runs, const json& entry, const std::vector<Bytes>& sizes) {
  const auto initiator = text_in(entry, "initiator");
  const bool writes = initiator == text_in(entry, "from");
  runs.add(writes ? "osu-put-latency" : "osu-get-latency", text_in(entry, "fabric"),
           {initiator, text_in(entry, writes ? "to" : "from")}, sizes);
}

// Where a fabric's time passes the other's: powers of two from 64 B to 4 MiB, between which the study seeks.
void add_crossover(RunBuilder& runs, const json& entry) {
  std::vector<Bytes> sizes;
  for (std::uint64_t size = 64; size <= 4 << 20; size *= 2)
    sizes.push_back(Bytes{size});
  add_pairs(runs, entry, "imb-pingpong", sizes);
}

// The shipped scenario with that number of workers' devices, over dapl and over tcp.
void add_boss_worker(ClaimCase& item, const json& entry, const std::map<std::string, Scenario>& scenarios) {
  for (const auto& [name, scenario] : scenarios) {
    const auto* workload = std::get_if<BossWorker>(&scenario.workload);
    if (!workload || scenario.platform->name != item.claim.platform)
      continue;
    std::vector<std::size_t> devices(scenario.ranks.begin() + 1, scenario.ranks.end());
    std::sort(devices.begin(), devices.end());
    devices.erase(std::unique(devices.begin(), devices.end()), devices.end());
    if (devices.size() != entry.at("devices").get<std::size_t>() || !item.runs.empty())
      continue;
    for (const char* fabric : {"dapl", "tcp"}) {
      auto run = scenario;
      run.fabric = fabric;
      auto& work = std::get<BossWorker>(run.workload);
      work.message = Bytes{entry.at("bytes").get<std::uint64_t>()};
      work.work_items = {entry.at("work_item").get<std::uint64_t>()};
      item.runs.push_back(std::move(run));
    }
  }
  if (item.runs.empty())
    item.pending = "no scenario of boss and workers with so many devices exists yet";
}

// The shipped scenarios BENCHMARK-old and BENCHMARK-new, with the claim's size.
void add_old_and_new(ClaimCase& item, const json& entry, const std::map<std::string, Scenario>& scenarios) {
  for (const char* age : {"-old", "-new"}) {
    const auto found = scenarios.find(item.claim.platform + "/" + text_in(entry, "benchmark") + age);
    if (found == scenarios.end()) {
      item.pending = fmt::format("the scenario {}{} does not exist yet", text_in(entry, "benchmark"), age);
      return;
    }
    auto run = found->second;
    if (run.ranks.size() != entry.at("ranks").get<std::size_t>())
      item.fault = mismatch(fmt::format("{} ranks in {}", run.ranks.size(), run.file),
                            fmt::format("{} for the claim {}", entry.at("ranks").get<std::size_t>(), item.claim.id));
    std::get<Benchmark>(run.workload).sizes = {Bytes{entry.at("bytes").get<std::uint64_t>()}};
    item.runs.push_back(std::move(run));
  }
}

void add_runs(ClaimCase& item, const json& entry, std::shared_ptr<const Platform> platform,
              const std::map<std::string, Scenario>& scenarios) {
  RunBuilder runs(item, std::move(platform));
  const auto benchmark = text_in(entry, "benchmark");
  const std::vector<Bytes> size{Bytes{entry.value("bytes", std::uint64_t{0})}};
  if (entry.contains("ratio_old_to_new_time"))
    add_old_and_new(item, entry, scenarios);
  else if (benchmark == "boss-worker")
    add_boss_worker(item, entry, scenarios);
  else if (benchmark == "ring")
    runs.add(entry.at("closed").get<bool>() ? "ring" : "open-ring", text_in(entry, "fabric"),
             entry.at("order").get<std::vector<std::string>>(), size);
  else if (benchmark == "rma")
    add_remote(runs, entry, size);
  else if (benchmark == "crossover")
    add_crossover(runs, entry);
  else if (benchmark == "osu_bw" || benchmark == "osu_latency")
    add_pairs(runs, entry, benchmark == "osu_bw" ? "osu-bw" : "osu-latency", size);
  else if (benchmark == "pingpong" || benchmark == "ratio")
    add_pairs(runs, entry, "imb-pingpong", size);
  else
    item.pending = "the benchmark " + benchmark + " does not exist yet";
  for (auto& run : item.runs) // documents count in 10^6 B
    if (auto* each = std::get_if<Benchmark>(&run.workload))
      each->megabyte = 1e6;
}

} // namespace

Result<std::vector<ClaimCase>> read_claims(const JsonDocument& document,
                                           const std::map<std::string, std::shared_ptr<const Platform>>& platforms,
                                           const std::map<std::string, Scenario>& scenarios) {
  std::vector<ClaimCase> cases;
  try {
    for (const auto& [platform, list] : document.root.items()) {
      const auto found = platforms.find(platform);
      for (const auto& entry : list.is_array() ? list : json::array()) {
        ClaimCase item{read_bounds(entry, platform), {}, "", ""};
        if (found == platforms.end())
          item.pending = "the platform does not exist yet";
        else
          add_runs(item, entry, found->second, scenarios);
        cases.push_back(std::move(item));
      }
    }
  } catch (const json::exception& problem) {
    return Error{ErrorKind::input, document.file, "", problem.what(), ""};
  }
  return cases;
}

} // namespace kakehashi
