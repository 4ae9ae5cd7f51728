// The claims of the documents: what each bounds, and the runs that give the number.
#include "input/catalogue/catalogue_reader.hpp"

#include "input/catalogue/claim_variant.hpp"
#include "input/json/checked.hpp"
#include "workload/benchmark/kind.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kakehashi {
namespace {

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
                            {"ratio_old_to_new_time", Number::time, Comparison::ratio},
                            {"ratio_first_to_second_time", Number::time, Comparison::ratio}};

// The quantity that the claim bounds, unless it is a crossover.
void read_between(Claim& claim, const Checked& between) {
  const auto ends = between.elements(2);
  claim.low = ends[0].number();
  claim.high = ends[1].number();
  if (claim.low > claim.high)
    between.refuse("the lower bound first");
}

// All fields of the claim but its bounds.
Claim read_head(const Checked& entry, const std::string& platform) {
  Claim claim;
  claim.id = entry.at("id").text();
  if (const auto missed = entry.find("missed"))
    claim.missed = missed->text();
  if (const auto repeats = entry.find("repeats"))
    claim.repeats = repeats->text();
  claim.platform = platform;
  claim.role = read_role(entry);
  if (const auto assumed = entry.find("assumed"))
    claim.is_implied = assumed->flag();
  if (const auto turned_by = entry.find("turned_by"))
    for (const auto& each : turned_by->elements())
      claim.turned_by.push_back({each.at("parameter").text(), each.at("factor").number()});
  return claim;
}

Claim read_bounds(const Checked& entry, const std::string& platform) {
  auto claim = read_head(entry, platform);
  if (const auto through = entry.find("first_wins_through_bytes")) {
    claim.comparison = Comparison::crossover;
    claim.low = static_cast<double>(through->count());
    if (const auto from = entry.at("second_wins_from_bytes"); !from.is_null())
      claim.high = static_cast<double>(from.count());
    return claim;
  }
  std::vector<std::string_view> keys{"first_wins_through_bytes"};
  bool is_bounded = false;
  for (const auto& [key, number, comparison] : bounds) {
    keys.push_back(key);
    const auto bound = entry.find(key);
    if (!bound)
      continue;
    claim.number = number;
    claim.comparison = comparison;
    read_between(claim, bound->at("between"));
    is_bounded = true;
  }
  if (!is_bounded)
    entry.refuse(fmt::format("a claim with one of {}", fmt::join(keys, ", ")));
  return claim;
}

Bytes size_of(const Checked& bytes) {
  const Bytes size{bytes.count()};
  if (size > largest_size)
    bytes.refuse(bytes_range);
  return size;
}

Bytes size_in(const Checked& entry) {
  return size_of(entry.at("bytes"));
}

// One size, or several over which the claim's number is a mean.
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

  // A benchmark of one size on devices by name. Without caps, links alone limit a message, as data sheets have them.
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
  std::optional<int> window_; // the benchmark's usual one, if the claim states none
};

// The platform whose regimes have no caps.
std::shared_ptr<const Platform> without_caps(Platform platform) {
  for (auto& fabric : platform.fabrics)
    for (auto& rule : fabric.rules)
      for (auto& regime : rule.regimes)
        regime.cap.reset();
  return std::make_shared<const Platform>(std::move(platform));
}

// Runs between two devices: one, one for each fabric, or one for each pair of devices.
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

// Each to the next one.
void add_ring(RunBuilder& runs, const Checked& entry) {
  const auto order = entry.at("order");
  const auto devices = order.texts();
  if (devices.size() < 2)
    order.refuse("two devices or more");
  runs.add(entry.at("closed").flag() ? "ring" : "open-ring", entry.at("fabric").text(), devices, {size_in(entry)});
}

// The initiator is rank 0: it writes what it has, or reads what the other has.
void add_remote(RunBuilder& runs, const Checked& entry) {
  const auto initiator = entry.at("initiator").text();
  const auto from = entry.at("from").text();
  const auto to = entry.at("to").text();
  const bool writes = initiator == from;
  runs.add(writes ? "osu-put-latency" : "osu-get-latency", entry.at("fabric").text(), {initiator, writes ? to : from},
           {size_in(entry)});
}

// Where a fabric's time passes the other's: powers of two from 64 B to 4 MiB, between which the study seeks.
void add_crossover(RunBuilder& runs, const Checked& entry) {
  std::vector<Bytes> sizes;
  for (std::uint64_t size = 64; size <= 4 << 20; size *= 2)
    sizes.push_back(Bytes{size});
  add_pairs(runs, entry, "imb-pingpong", sizes);
}

// The shipped scenario with that number of workers' devices, over dapl and over tcp.
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
    for (const char* fabric : {"dapl", "tcp"}) {
      auto run = scenario;
      run.fabric = fabric;
      auto& work = std::get<BossWorker>(run.workload);
      work.message = size_in(entry);
      work.work_items = {entry.at("work_item").count()};
      item.runs.push_back(std::move(run));
    }
  }
  if (item.runs.empty())
    item.pending = "no scenario of boss and workers with so many devices exists yet";
}

// The shipped scenarios BENCHMARK-old and BENCHMARK-new, or the latter with each of the libraries or algorithms that
// are "compared"; with the claim's sizes, on all its ranks or on those of the claim's box.
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

// Each comparison has its number of runs, unless something that they need does not exist.
void check_count(const ClaimCase& item, const Checked& entry) {
  const std::size_t wanted = item.claim.comparison == Comparison::none ? 1 : 2;
  if (item.pending.empty() && item.fault.empty() && item.runs.size() != wanted)
    entry.refuse(fmt::format("what gives {}, not {}", counted(wanted, "run"), item.runs.size()));
}

void add_runs(ClaimCase& item, const Checked& entry, std::shared_ptr<const Platform> platform,
              const std::map<std::string, Scenario>& scenarios) {
  if (const auto capped = entry.find("capped"); capped && !capped->flag())
    platform = without_caps(*platform);
  const auto window = entry.find("window");
  RunBuilder runs(item, std::move(platform), window ? std::optional(static_cast<int>(window->count())) : std::nullopt);
  const auto benchmark = entry.at("benchmark").text();
  if (entry.has("ratio_old_to_new_time") || entry.has("ratio_first_to_second_time"))
    add_old_and_new(item, entry, scenarios);
  else if (benchmark == "boss-worker")
    add_boss_worker(item, entry, scenarios);
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
  for (auto& run : item.runs) // documents count in 10^6 B
    if (auto* each = std::get_if<Benchmark>(&run.workload))
      each->megabyte = 1e6;
}

} // namespace

std::optional<Role> read_role(const Checked& object) {
  const auto role = object.find("role");
  if (!role)
    return std::nullopt;
  const auto found = std::ranges::find(role_names, role->text());
  if (found == role_names.end())
    role->refuse(fmt::format("one of {}", fmt::join(role_names, ", ")));
  return static_cast<Role>(found - role_names.begin());
}

Result<std::vector<ClaimCase>> read_claims(const JsonDocument& document,
                                           const std::map<std::string, std::shared_ptr<const Platform>>& platforms,
                                           const std::map<std::string, Scenario>& scenarios) {
  std::vector<ClaimCase> cases;
  try {
    for (const auto& [platform, list] : Checked(*document.root, "").members()) {
      if (list.is_text()) // a note
        continue;
      const auto found = platforms.find(platform);
      for (const auto& entry : list.elements()) {
        ClaimCase item{read_bounds(entry, platform), {}, "", ""};
        if (found == platforms.end())
          item.pending = "the platform does not exist yet";
        else
          add_runs(item, entry, found->second, scenarios);
        cases.push_back(std::move(item));
      }
    }
  } catch (const Misfit& misfit) {
    return misfit.in(document.file);
  }
  return cases;
}

} // namespace kakehashi
