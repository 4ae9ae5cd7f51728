#include "study/fit/fit_parts.hpp"

#include "calibration/fit_steps.hpp"
#include "study/run/scenario_run.hpp"
#include "transport/path.hpp"
#include "workload/workload.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <set>

namespace kakehashi {
namespace {

// Lines are sought in finer steps than a platform's regimes, so that a change appears even if a platform without it
// would be good enough.
constexpr int most_lines = 7;
constexpr double line_penalty = 0.006;
constexpr double thin_line_penalty = 0.004;
// Messages of up to this size may leave with their descriptor, or in one or two cache lines.
constexpr Bytes longest_short{1024};
constexpr double small_share = 0.04; // a share of a time that is lost in the scatter of measurements
constexpr Bytes shortest_parts = kib(64);

struct Line {
  Bytes first; // both are measured sizes
  Bytes last;
  double start = 0;    // us
  double per_byte = 0; // us

  double at(Bytes size) const { return start + per_byte * static_cast<double>(size.count); }
};

std::vector<Line> lines_of(const Curve& times) {
  Observation test;
  test.curve = times;
  CalibrationOptions options;
  options.most_regimes = most_lines;
  options.penalty = line_penalty;
  options.thin_penalty = thin_line_penalty;
  options.infers_rendezvous = false;
  const std::vector tests{test};
  const auto problem = problem_of(tests, options);
  std::vector<Line> lines;
  for (const auto& fit : best_ranges(problem, options, {})) {
    const double start = one_way_time(fit.values, test, 0);
    lines.push_back({fit.range.from, fit.range.to, start, one_way_time(fit.values, test, 1) - start});
  }
  return lines;
}

std::optional<BytesPerSecond> rate_of(const Line& line) {
  return line.per_byte > 1e-9 ? std::optional(BytesPerSecond{1e6 / line.per_byte}) : std::nullopt;
}

// `shown` is the size at which the time falls, or nearly so, which only happens where the receiver is asked.
ProtocolChange kind_of(const FoundChange& change, const Line& below, const Line& above, bool is_stream,
                       std::optional<Bytes> shown) {
  if (shown == change.first)
    return ProtocolChange::eager_ends;
  const double step = change.cost() / change.measured;
  if (is_stream && below.start > above.start && above.start < 0.2 * in_microseconds(change.measured))
    return ProtocolChange::bytes_pace;
  if (change.first <= longest_short)
    return ProtocolChange::short_ends;
  if (above.per_byte > 1.05 * below.per_byte && !(step > small_share && change.first < shortest_parts))
    return ProtocolChange::slower;
  if (shown && change.first < *shown)
    return step < small_share ? ProtocolChange::copies_end : ProtocolChange::eager_ends;
  return shown && change.first >= shortest_parts ? ProtocolChange::parts : ProtocolChange::eager_ends;
}

// The scope of the path, and the types of links that it takes between nodes.
struct Surroundings {
  LogScope scope = LogScope::any;
  std::set<std::string_view> networks;
  std::string_view library;
};

bool applies(const ProtocolVariable& row, const Surroundings& around) {
  const bool fits_scope = row.scope == LogScope::any || around.scope == LogScope::any || row.scope == around.scope;
  const bool fits_network = row.network.empty() || around.networks.empty() || around.networks.contains(row.network);
  return fits_scope && fits_network &&
         (row.family.empty() || around.library.empty() || around.library.starts_with(row.family));
}

// If copies and eager messages may both end there, the variables of both count.
bool may_move(const ProtocolVariable& row, ProtocolChange change) {
  const auto is_end = [](ProtocolChange kind) {
    return kind == ProtocolChange::copies_end || kind == ProtocolChange::eager_ends;
  };
  return row.change == change || (is_end(row.change) && is_end(change));
}

std::vector<MovingVariable> variables_of(const FoundChange& change, const Surroundings& around) {
  std::vector<MovingVariable> found;
  for (const auto& row : protocol_variables())
    if (may_move(row, change.kind) && applies(row, around))
      found.push_back({&row, row.standard && change.last <= *row.standard && *row.standard <= change.first});
  std::ranges::stable_sort(found, std::greater(), &MovingVariable::is_here);
  return found;
}

Surroundings surroundings_of(const Scenario& scenario) {
  Surroundings around;
  const auto planned = routes_of(scenario);
  if (!planned)
    return around;
  const auto& platform = *scenario.platform;
  const auto& path = (*planned->ways)[*planned->ways->find(0, 1)].stages.front();
  around.scope = path.scope == Scope::between_nodes ? LogScope::between_nodes : LogScope::inside_node;
  for (const auto link : path.route.links)
    around.networks.insert(name_of(platform.links[link].type));
  if (platform.mpi.selector)
    around.library = name_of(selector_names, *platform.mpi.selector);
  return around;
}

} // namespace

Curve message_times(const Scenario& scenario) {
  const auto pair = pair_test(scenario.workload);
  assert(pair && scenario.reference);
  Curve times = scenario.reference->curve;
  const bool both_ways = pair->form == TestForm::window_both_ways;
  if (times.metric == Metric::bandwidth)
    for (auto& point : times.points)
      point.value = point.value > 0 ? (both_ways ? 2 : 1) * static_cast<double>(point.size.count) / point.value : 0;
  times.metric = Metric::time;
  std::erase_if(times.points, [](const CurvePoint& point) { return point.value <= 0; });
  return times;
}

ExplainedTable explain_table(const Scenario& scenario, bool is_known) {
  const auto pair = pair_test(scenario.workload);
  auto times = pair ? message_times(scenario) : scenario.reference->curve;
  std::erase_if(times.points, [](const CurvePoint& point) { return point.value <= 0; });
  ExplainedTable table;
  table.name = scenario.name;
  table.benchmark = std::get<Benchmark>(scenario.workload).name;
  table.is_pair = pair.has_value();
  table.points = times.points.size();
  if (times.points.empty())
    return table;
  table.smallest = times.points.front().size;
  table.largest = times.points.back().size;
  table.least = microseconds(times.points.front().value);
  if (!pair)
    return table;
  table.is_lone = pair->form == TestForm::one_way;
  table.is_stream = is_window(pair->form);
  const double in_time = pair->form == TestForm::exchange ? 2 : 1; // messages of one direction in the printed time
  for (const auto& point : times.points)
    if (const BytesPerSecond rate{in_time * static_cast<double>(point.size.count) / point.value * 1e6};
        rate > table.best) {
      table.best = rate;
      table.best_size = point.size;
    }
  if (times.points.size() < 4)
    return table;
  const auto around = is_known ? surroundings_of(scenario) : Surroundings{};
  Observation test;
  test.curve = times;
  const std::vector tests{test};
  const auto shown = shown_rendezvous(tests);
  const auto lines = lines_of(times);
  for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
    const auto& below = lines[i];
    const auto& above = lines[i + 1];
    FoundChange change;
    change.last = below.last;
    change.first = above.first;
    change.expected = microseconds(below.at(above.first));
    change.measured = microseconds(*times.at(above.first));
    change.last_measured = microseconds(*times.at(below.last));
    change.last_after = microseconds(above.at(below.last));
    change.rate_below = rate_of(below);
    change.rate_above = rate_of(above);
    const double even = (above.start - below.start) / (below.per_byte - above.per_byte);
    if (above.per_byte < below.per_byte && even > 0 && even < static_cast<double>(largest_size.count))
      change.even = Bytes{static_cast<std::uint64_t>(std::ceil(even))};
    change.kind = kind_of(change, below, above, table.is_stream, shown);
    change.variables = variables_of(change, around);
    table.changes.push_back(std::move(change));
  }
  return table;
}

} // namespace kakehashi
