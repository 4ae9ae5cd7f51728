#include "input/log/log_scenario.hpp"

#include "input/log/log_reader.hpp"
#include "workload/benchmark/kind.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kakehashi {
namespace {

constexpr std::string_view usable =
    "two ranks of imb-pingpong, imb-sendrecv, imb-exchange, osu-latency, osu-bw, osu-bibw or osu-mbw_mr";

// What a table is to calibration, or why it is nothing.
struct Use {
  const BenchmarkKind* kind = nullptr; // none: nothing
  std::string refusal;
  bool by_place = false; // the place tells what the log does not
};

// The first of the place's benchmarks that prints what the table has.
const BenchmarkKind* benchmark_by_place(const LogTable& table, const LogPlace& place) {
  for (const auto& name : place.benchmarks)
    if (const auto* kind = find_benchmark(name); kind && curve_of(table, kind->metric).ok())
      return kind;
  return nullptr;
}

Use use_of(const LogTable& table, const LogPlace& place) {
  const auto& word = table.benchmark;
  const auto processes = table.processes.value_or(2) / table.groups.value_or(1);
  if (word.empty())
    return {benchmark_by_place(table, place), "a table whose benchmark is not named (--benchmark names it)", true};
  if (word == "osu-multi_lat") // the same test as osu-latency, if one pair does it
    return {benchmark_by_place(table, place),
            "osu-multi_lat, which does not state its pairs (--benchmark osu-latency if it was one)", true};
  const auto* kind = find_benchmark(word == "osu-mbw_mr" ? "osu-bw" : word);
  if (kind && processes > 2)
    return {nullptr, fmt::format("{} of {} processes", word, processes)};
  return {kind && kind->test ? kind : nullptr, word};
}

Result<Scenario> scenario_of(const LogTable& table, const BenchmarkKind& kind, const LogPlace& place) {
  const bool is_bandwidth = kind.metric == Metric::bandwidth;
  auto curve = curve_of(table, kind.metric);
  if (!curve)
    return curve.errors();
  Benchmark benchmark;
  benchmark.name = kind.name;
  benchmark.window = static_cast<int>(table.window.value_or(static_cast<std::uint64_t>(benchmark.window)));
  for (auto& point : curve->points) {
    benchmark.sizes.push_back(point.size);
    if (is_bandwidth)
      point.value *= table.bytes_per_mbyte.value_or(1e6) / 1e6;
  }
  Scenario scenario;
  scenario.name = curve->name;
  scenario.file = table.file;
  scenario.platform = place.platform;
  scenario.fabric = place.fabric;
  scenario.ranks = place.ranks;
  scenario.workload = benchmark;
  scenario.reference = Reference{std::move(*curve), CurveUse::calibration};
  return scenario;
}

// Tables of one log get names of their own: "job (line 12)".
void tell_apart(std::vector<Scenario>& scenarios, const std::vector<std::size_t>& lines) {
  if (scenarios.size() < 2)
    return;
  for (std::size_t i = 0; i < scenarios.size(); ++i) {
    scenarios[i].name += fmt::format(" (line {})", lines[i]);
    scenarios[i].reference->curve.name = scenarios[i].name;
  }
}

} // namespace

LogPlace unknown_cluster() {
  auto platform = std::make_shared<Platform>();
  platform->name = "unknown";
  platform->nodes = {"a", "b"};
  platform->devices = {{"a.cpu", DeviceKind::cpu, 0, std::nullopt}, {"b.cpu", DeviceKind::cpu, 1, std::nullopt}};
  Link link;
  link.name = "a.cpu-b.cpu";
  link.from = 0;
  link.to = 1;
  link.type = link_type("ethernet");
  link.bandwidth = gigabytes_per_second(1e6);
  platform->links = {link};
  Fabric fabric;
  fabric.name = "measured";
  fabric.links = {link_type("ethernet")};
  fabric.rules.emplace_back().regimes = {Regime{}};
  platform->fabrics = {fabric};
  return {platform, "measured", {0, 1}, {}};
}

Result<LogScenarios> read_log_scenarios(const std::string& file, const LogPlace& place) {
  const auto tables = read_logs(file);
  if (!tables)
    return tables.errors();
  LogScenarios found;
  std::vector<std::size_t> lines;
  std::vector<std::string> refusals;
  for (const auto& table : *tables) {
    const auto use = use_of(table, place);
    if (!use.kind) {
      if (std::find(refusals.begin(), refusals.end(), use.refusal) == refusals.end())
        refusals.push_back(use.refusal);
      continue;
    }
    auto scenario = scenario_of(table, *use.kind, place);
    if (!scenario)
      return scenario.errors();
    found.scenarios.push_back(std::move(*scenario));
    found.used_benchmark |= use.by_place;
    lines.push_back(table.line);
    if (table.groups.value_or(1) > 1)
      found.notes.push_back(
          fmt::format("{}: line {}: {} pairs ran at once; what they shared makes the fabric look slower", file,
                      table.line, *table.groups));
  }
  const auto refused = fmt::format("{}", fmt::join(refusals, ", "));
  if (found.scenarios.empty())
    return Error{ErrorKind::input, file, "", mismatch(refused, usable), ""};
  if (!refusals.empty())
    found.notes.push_back(fmt::format("{}: passed over {}", file, refused));
  tell_apart(found.scenarios, lines);
  return found;
}

} // namespace kakehashi
