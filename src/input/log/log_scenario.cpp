#include "input/log/log_scenario.hpp"

#include "input/log/log_reader.hpp"
#include "workload/benchmark/kind.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kakehashi {
namespace {

constexpr std::string_view usable =
    "two ranks of imb-pingpong, imb-sendrecv, imb-exchange, osu-latency, osu-bw, osu-bibw or osu-mbw_mr, or pairs of "
    "osu-mbw_mr, imb-uniband or imb-biband";

// How calibration uses a table, or why it cannot.
struct Use {
  const BenchmarkKind* kind = nullptr; // null: it cannot use the table
  std::string refusal;
  bool by_place = false; // the place states what the log does not
};

// Returns the first of the place's benchmarks that prints the table's columns.
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
  if (word == "osu-multi_lat") // with one pair, the same test as osu-latency
    return place.pairs == 1 ? Use{find_benchmark("osu-latency"), "", false}
           : place.pairs
               ? Use{nullptr, fmt::format("osu-multi_lat of {} pairs, which show the limit of one socket's memory only",
                                          *place.pairs)}
               : Use{benchmark_by_place(table, place),
                     "osu-multi_lat, which does not state its pairs (--log between-nodes:8=FILE does)", true};
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

// IMB's PingPong in a larger job: ranks 0 and 1 are usually on one node.
std::string waiting_text(const LogTable& table) {
  return fmt::format("\"{} additional processes waiting in MPI_Barrier\"", *table.waiting);
}

Error may_be_in_one_node(const LogTable& table) {
  return input_error(table.file, fmt::format("line {}", table.line),
                     mismatch(fmt::format("{} with {}, so that its ranks were probably in one node", table.benchmark,
                                          waiting_text(table)),
                              "--log same-socket=FILE or same-node=FILE, or between-nodes=FILE if they were not"));
}

// Returns how many messages of the table's size were under way in the printed time, if ranks of a job exchanged them.
std::uint64_t messages_at_once(const LogTable& table, const LogPlace& place) {
  if (table.benchmark == "osu-multi_lat")
    return place.pairs.value_or(0);
  const auto processes = table.processes.value_or(0);
  return table.benchmark == "imb-sendrecv" ? processes : table.benchmark == "imb-exchange" ? 2 * processes : 0;
}

// Returns a test if several pairs of ranks ran it, or one pair in a form that counts for pairs. Tests that wait for
// each message load only memory, and their ranks are known to share one only if the user states it.
std::optional<PairsTest> pair_test_of(const LogTable& table, const LogPlace& place) {
  const auto& name = table.benchmark;
  const bool is_rate = name == "osu-mbw_mr" || name == "imb-uniband" || name == "imb-biband";
  const auto at_once = messages_at_once(table, place);
  const bool is_exchange = name == "imb-sendrecv" || name == "imb-exchange";
  if (!is_rate && (place.ranks[0] != place.ranks[1] || at_once < 2 || (is_exchange && table.processes <= 2)))
    return std::nullopt;
  PairsTest test{curve_name(table.file),
                 is_rate || is_exchange ? table.processes.value_or(2) / 2 : at_once,
                 name == "imb-biband" || is_exchange,
                 {},
                 place.platform,
                 place.fabric,
                 place.ranks};
  for (const auto& row : table.rows) {
    const double size = static_cast<double>(row.size.count);
    const auto time = row.t_max_us ? row.t_max_us : row.t_us ? row.t_us : row.t_avg_us;
    if (is_rate && row.mbytes_per_s && row.messages_per_s)
      test.points.push_back(
          {row.size, *row.mbytes_per_s * table.bytes_per_mbyte.value_or(1e6) / 1e6, *row.messages_per_s});
    else if (!is_rate && time && *time > 0)
      test.points.push_back(
          {row.size, size * static_cast<double>(at_once) / *time, 1e6 * static_cast<double>(at_once) / *time});
  }
  return test.points.empty() ? std::nullopt : std::optional(test);
}

// Gives the tables of one log names of their own: "job (line 12)".
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
  const auto add_link = [&](std::size_t from, std::size_t to) {
    auto& link = platform->links.emplace_back();
    link.name = fmt::format("{}-{}", platform->devices[from].name, platform->devices[to].name);
    link.from = from;
    link.to = to;
    link.type = link_type("ethernet");
    link.bandwidth = gigabytes_per_second(1e6);
  };
  platform->devices = {{"a.cpu", DeviceKind::cpu, 0, std::nullopt},
                       {"b.cpu", DeviceKind::cpu, 1, std::nullopt},
                       {"a.cpu1", DeviceKind::cpu, 0, std::nullopt}};
  add_link(0, 1);
  add_link(0, 2);
  Fabric fabric;
  fabric.name = "measured";
  fabric.links = {link_type("ethernet")};
  for (const auto scope : {Scope::between_nodes, Scope::inside_node, Scope::inside_device}) {
    auto& rule = fabric.rules.emplace_back();
    rule.scope = scope;
    rule.moved_by_cores = scope != Scope::between_nodes;
    rule.regimes = {Regime{}};
  }
  platform->fabrics = {fabric};
  return {platform, "measured", {0, 1}, {}, std::nullopt, false};
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
    auto pairs = pair_test_of(table, place);
    if (pairs)
      found.pair_tests.push_back(std::move(*pairs));
    if (!use.kind) {
      if (!pairs && std::find(refusals.begin(), refusals.end(), use.refusal) == refusals.end())
        refusals.push_back(use.refusal);
      continue;
    }
    if (table.waiting && table.processes == 2 && !place.is_stated) {
      if (!place.platform->file.empty())
        return may_be_in_one_node(table);
      found.notes.push_back(
          fmt::format("{}: line {}: {}, so that the ranks were probably in one node and this is no network", file,
                      table.line, waiting_text(table)));
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
  if (found.scenarios.empty() && found.pair_tests.empty())
    return file_error(ErrorKind::input, file, mismatch(refused, usable));
  if (!refusals.empty())
    found.notes.push_back(fmt::format("{}: passed over {}", file, refused));
  tell_apart(found.scenarios, lines);
  return found;
}

} // namespace kakehashi
