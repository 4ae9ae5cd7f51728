#include "input/catalogue/claim_runs.hpp"

#include "input/scenario/scenario_parts.hpp"
#include "workload/benchmark/kind.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kakehashi {
namespace {

Bytes size_of(const Checked& bytes) {
  const Bytes size{bytes.count()};
  if (size > largest_size)
    bytes.refuse(bytes_range);
  return size;
}

Bytes size_in(const Checked& entry) {
  return size_of(entry.at("bytes"));
}

// Returns one size, or several over which the claim's number is a mean.
std::vector<Bytes> sizes_in(const Checked& entry) {
  const auto listed = entry.find("sizes");
  if (!listed)
    return {size_in(entry)};
  if (entry.has("bytes"))
    listed->refuse("either sizes or bytes");
  std::vector<Bytes> sizes;
  for (const auto& bytes : listed->elements())
    sizes.push_back(size_of(bytes));
  if (sizes.empty())
    listed->refuse("one size or more");
  return sizes;
}

class RunBuilder {
public:
  RunBuilder(ClaimCase& item, std::shared_ptr<const Platform> platform, std::optional<int> window)
      : item_(item), platform_(std::move(platform)), window_(window) {}

  // Adds a benchmark on devices by name. Without caps, links alone limit a message, as in data sheets.
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
    benchmark.window = window_.value_or(benchmark.window);
    scenario.workload = std::move(benchmark);
    item_.runs.push_back(std::move(scenario));
  }

  void miss(const std::string& what) {
    item_.fault = mismatch("no " + what + " in " + platform_->file, "it for the claim " + item_.claim.id);
  }

private:
  ClaimCase& item_;
  std::shared_ptr<const Platform> platform_;
  std::optional<int> window_; // none: the benchmark's usual one
};

// Adds runs between two devices: one, one for each fabric, or one for each pair of devices.
void add_pairs(RunBuilder& runs, const Checked& entry, const std::string& name, const std::vector<Bytes>& sizes) {
  const auto ends = [&] { return std::vector{entry.at("from").text(), entry.at("to").text()}; };
  if (const auto fabrics = entry.find("fabrics"))
    for (const auto& fabric : fabrics->texts())
      runs.add(name, fabric, ends(), sizes);
  else if (const auto pairs = entry.find("pairs"))
    for (const auto& pair : pairs->elements())
      runs.add(name, entry.at("fabric").text(), {pair.elements(2)[0].text(), pair.elements(2)[1].text()}, sizes);
  else
    runs.add(name, entry.at("fabric").text(), ends(), sizes);
}

// Adds a ring, in which each device sends to the next one.
void add_ring(RunBuilder& runs, const Checked& entry) {
  const auto order = entry.at("order");
  const auto devices = order.texts();
  if (devices.size() < 2)
    order.refuse("two devices or more");
  runs.add(entry.at("closed").flag() ? "ring" : "open-ring", entry.at("fabric").text(), devices, {size_in(entry)});
}

// Adds an access to remote memory. The initiator is rank 0: it writes its data, or reads that of the other rank.
void add_remote(RunBuilder& runs, const Checked& entry) {
  const auto initiator = entry.at("initiator").text();
  const auto from = entry.at("from").text();
  const auto to = entry.at("to").text();
  const bool writes = initiator == from;
  runs.add(writes ? "osu-put-latency" : "osu-get-latency", entry.at("fabric").text(), {initiator, writes ? to : from},
           {size_in(entry)});
}

// Adds runs of two fabrics whose times cross: powers of two from 64 B to 4 MiB, between which the study seeks the size.
void add_crossover(RunBuilder& runs, const Checked& entry) {
  std::vector<Bytes> sizes;
  for (std::uint64_t size = 64; size <= 4 << 20; size *= 2)
    sizes.push_back(Bytes{size});
  add_pairs(runs, entry, "imb-pingpong", sizes);
}

// Adds a run with the claim's eager limit, and one with the platform's.
void add_moved_limit(ClaimCase& item, RunBuilder& runs, const Checked& entry) {
  for (int i = 0; i < 2; ++i)
    runs.add("imb-pingpong", entry.at("fabric").text(), {entry.at("from").text(), entry.at("to").text()},
             sizes_in(entry));
  if (item.runs.size() != 2) // there was a fault
    return;
  auto& moved = item.runs.front();
  Faults faults(moved.file);
  read_what_if({{"eager_limit", entry.at("eager_limit").text()}}, moved, faults);
  if (!faults.empty())
    entry.at("eager_limit").refuse("a size, on a fabric with regimes of one trip and regimes of more");
}

// Adds two shipped scenarios by name.
void add_shipped(ClaimCase& item, const Checked& entry, const std::map<std::string, Scenario>& scenarios) {
  for (const auto& name : entry.at("scenarios").texts()) {
    const auto found = scenarios.find(item.claim.platform + "/" + name);
    if (found == scenarios.end())
      return entry.at("scenarios").refuse("names of scenarios of " + item.claim.platform);
    item.runs.push_back(found->second);
  }
}

// A run of boss and workers, for one of several fabrics or sizes of a work item.
struct BossWorkerRun {
  std::string fabric;
  std::uint64_t work_item;
};
std::vector<BossWorkerRun> boss_worker_runs(const Checked& entry) {
  const auto listed = entry.find("work_items");
  if (!listed)
    return {{"dapl", entry.at("work_item").count()}, {"tcp", entry.at("work_item").count()}};
  std::vector<BossWorkerRun> runs;
  for (const auto& item : listed->elements())
    runs.push_back({entry.at("fabric").text(), item.count()});
  return runs;
}

// Adds the shipped scenario with that number of workers' devices.
void add_boss_worker(ClaimCase& item, const Checked& entry, const std::map<std::string, Scenario>& scenarios) {
  for (const auto& [name, scenario] : scenarios) {
    const auto* workload = std::get_if<BossWorker>(&scenario.workload);
    if (!workload || scenario.platform->name != item.claim.platform)
      continue;
    std::vector<std::size_t> devices(scenario.ranks.begin() + 1, scenario.ranks.end());
    std::sort(devices.begin(), devices.end());
    devices.erase(std::unique(devices.begin(), devices.end()), devices.end());
    if (devices.size() != entry.at("devices").count() || !item.runs.empty())
      continue;
    for (const auto& [fabric, work_item] : boss_worker_runs(entry)) {
      auto run = scenario;
      run.fabric = fabric;
      auto& work = std::get<BossWorker>(run.workload);
      work.message = size_in(entry);
      work.work_items = {work_item};
      item.runs.push_back(std::move(run));
    }
  }
  if (item.runs.empty())
    item.pending = "no scenario of boss and workers with so many devices exists yet";
}

// Adds the shipped scenarios BENCHMARK-old and BENCHMARK-new, or the latter with each of the libraries or algorithms
// that are "compared"; with the claim's sizes, and on all its ranks or those of the claim's box.
void add_old_and_new(ClaimCase& item, const Checked& entry, const std::map<std::string, Scenario>& scenarios) {
  const auto collective = entry.at("benchmark").text();
  const auto compared = entry.find("compared");
  for (std::size_t i = 0; i < 2; ++i) {
    const auto name = collective + (compared || i == 1 ? "-new" : "-old");
    const auto found = scenarios.find(item.claim.platform + "/" + name);
    if (found == scenarios.end()) {
      item.pending = fmt::format("the scenario {} does not exist yet", name);
      return;
    }
    auto run = found->second;
    if (compared)
      set_library(run.mpi, compared->elements(2)[i], collective);
    if (entry.has("box"))
      run.ranks = read_box(entry, *run.platform);
    else if (const auto ranks = entry.at("ranks").count(); run.ranks.size() != ranks)
      item.fault = mismatch(fmt::format("{} ranks in {}", run.ranks.size(), run.file),
                            fmt::format("{} for the claim {}", ranks, item.claim.id));
    auto* benchmark = std::get_if<Benchmark>(&run.workload);
    if (!benchmark) {
      item.fault = mismatch("no benchmark in " + run.file, "one for the claim " + item.claim.id);
      return;
    }
    benchmark->sizes = sizes_in(entry);
    if (const auto warm_up = entry.find("warm_up"))
      benchmark->warm_up = static_cast<int>(warm_up->count());
    item.runs.push_back(std::move(run));
  }
}

// Checks that the comparison has its number of runs, unless something that they need does not exist.
void check_count(const ClaimCase& item, const Checked& entry) {
  const std::size_t wanted = item.claim.comparison == Claim::Comparison::none ? 1 : 2;
  if (item.pending.empty() && item.fault.empty() && item.runs.size() != wanted)
    entry.refuse(fmt::format("what gives {}, not {}", counted(wanted, "run"), item.runs.size()));
}

} // namespace

void add_runs(ClaimCase& item, const Checked& entry, std::shared_ptr<const Platform> platform,
              const std::map<std::string, Scenario>& scenarios) {
  const auto window = entry.find("window");
  RunBuilder runs(item, std::move(platform), window ? std::optional(static_cast<int>(window->count())) : std::nullopt);
  const auto benchmark = entry.at("benchmark").text();
  if (entry.has("scenarios"))
    add_shipped(item, entry, scenarios);
  else if (entry.has("eager_limit"))
    add_moved_limit(item, runs, entry);
  else if (benchmark == "boss-worker")
    add_boss_worker(item, entry, scenarios);
  else if (entry.has("ratio_old_to_new_time") || entry.has("ratio_first_to_second_time"))
    add_old_and_new(item, entry, scenarios);
  else if (benchmark == "ring")
    add_ring(runs, entry);
  else if (benchmark == "rma")
    add_remote(runs, entry);
  else if (benchmark == "crossover")
    add_crossover(runs, entry);
  else if (benchmark == "osu_bw" || benchmark == "osu_latency")
    add_pairs(runs, entry, benchmark == "osu_bw" ? "osu-bw" : "osu-latency", {size_in(entry)});
  else if (benchmark == "pingpong")
    add_pairs(runs, entry, "imb-pingpong", {size_in(entry)});
  else if (find_benchmark(benchmark))
    add_pairs(runs, entry, benchmark, {size_in(entry)});
  else
    entry.at("benchmark").refuse("pingpong, ring, rma, crossover, boss-worker, or a benchmark that scenarios may name");
  check_count(item, entry);
}

} // namespace kakehashi
