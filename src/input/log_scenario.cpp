#include "input/log_scenario.hpp"

#include "input/log_reader.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace kakehashi {
namespace {

constexpr std::string_view usable = "imb-pingpong, imb-sendrecv, osu-latency, osu-bw or osu-bibw";

std::optional<BenchmarkName> benchmark_of(const std::string& name) {
  const auto found = from_name<BenchmarkName>(benchmark_names, name);
  const bool is_usable = found && found != BenchmarkName::imb_exchange && !collective_of(*found);
  return is_usable ? found : std::nullopt;
}

Result<Scenario> scenario_of(const LogTable& table, BenchmarkName name, const LogPlace& place) {
  const bool is_bandwidth = name == BenchmarkName::osu_bw || name == BenchmarkName::osu_bibw;
  auto curve = curve_of(table, is_bandwidth ? Metric::bandwidth : Metric::time);
  if (!curve)
    return curve.errors();
  curve->name = std::filesystem::path(table.file).stem().string();
  Benchmark benchmark;
  benchmark.name = name;
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
  link.type = LinkType::ethernet;
  link.bandwidth = gigabytes_per_second(1e6);
  platform->links = {link};
  Fabric fabric;
  fabric.name = "measured";
  fabric.links = {LinkType::ethernet};
  fabric.rules = {{std::nullopt, std::nullopt, std::nullopt, {Regime{}}}};
  platform->fabrics = {fabric};
  return {platform, "measured", {0, 1}, ""};
}

Result<std::vector<Scenario>> read_log_scenarios(const std::string& file, const LogPlace& place) {
  const auto tables = read_logs(file);
  if (!tables)
    return tables.errors();
  std::vector<Scenario> scenarios;
  std::set<std::string> others;
  for (const auto& table : *tables) {
    const auto& word = table.benchmark.empty() ? place.benchmark : table.benchmark;
    const auto name = benchmark_of(word);
    if (!name) {
      others.insert(word.empty() ? "a table whose benchmark is not named" : word);
      continue;
    }
    auto scenario = scenario_of(table, *name, place);
    if (!scenario)
      return scenario.errors();
    scenarios.push_back(std::move(*scenario));
  }
  if (scenarios.empty())
    return Error{ErrorKind::input, file, "",
                 mismatch(fmt::format("{}", fmt::join(others, ", ")), fmt::format("a table of {}", usable)), ""};
  return scenarios;
}

} // namespace kakehashi
