#include "calibration/fit_steps.hpp"

#include <algorithm>
#include <cmath>

namespace kakehashi {
namespace {

// Parameters are positive, and the search is over their logarithms. Values below this count as zero (us, us/B).
constexpr double nothing = 1e-7;
constexpr double optimism_weight = 1;
constexpr double gap_weight = 1e-3; // only decides between equally good fits
// Of a message's constant time at each end, the most that a core is taken to work, and the least that only the kernel's
// TCP takes, whose core works all the time (us).
constexpr double most_core = 0.3;
constexpr double least_kernel = 5;

using Vector = std::vector<double>;

// Calls visit(parameter) for each parameter of the set, always in the same order.
template <class Values, class Visit> void for_each_parameter(const ParameterSet& set, Values& values, Visit visit) {
  for (const auto kind : std::span(set.kinds).first(set.kinds_are_alike() ? 1 : set.kinds.size())) {
    const auto k = static_cast<std::size_t>(kind);
    visit(values.send[k]);
    if (set.tells_copies())
      visit(values.send_byte[k]);
    if (set.cores_move_payload)
      visit(values.receive[k]);
    if (set.tells_copies_of_ends())
      visit(values.receive_byte[k]);
  }
  for (std::size_t c = 0; c < set.path_classes; ++c) {
    if (set.has_window || c > 0)
      visit(values.setup[c]);
    if (!set.cores_move_payload && (set.path_classes == 1 || c > 0))
      visit(values.cap_byte[c]); // its excess over the link's time: below that it has no effect
  }
  if (set.has_window && !set.cores_move_payload)
    visit(values.gap);
}

} // namespace

RegimeValues from_logarithms(const ParameterSet& set, int trips, const Vector& logarithms) {
  RegimeValues values;
  values.trips = trips;
  values.setup.resize(set.path_classes);
  values.cap_byte.resize(set.path_classes);
  std::size_t next = 0;
  for_each_parameter(set, values, [&](double& value) {
    const double found = std::exp(std::min(logarithms[next++], 30.0));
    value = found > nothing ? found : 0;
  });
  for (std::size_t c = 0; c < set.path_classes; ++c)
    if (values.cap_byte[c] > 0)
      values.cap_byte[c] += set.link_byte[c];
  if (set.kinds_are_alike())
    for (auto* each : {&values.send, &values.receive, &values.send_byte, &values.receive_byte})
      each->fill((*each)[static_cast<std::size_t>(set.kinds.front())]);
  if (set.shares_constant()) // the rest is the adapters'
    if (auto& core = values.send[static_cast<std::size_t>(DeviceKind::cpu)]; core > most_core && core < least_kernel) {
      values.setup[0] = 2 * (core - most_core);
      core = most_core;
    }
  if (!set.cores_move_payload)
    values.receive = values.send;
  if (!set.tells_copies_of_ends())
    values.receive_byte = values.send_byte;
  return values;
}

Vector to_logarithms(const ParameterSet& set, RegimeValues values) {
  for (std::size_t c = 0; c < set.path_classes; ++c)
    values.cap_byte[c] -= set.link_byte[c];
  if (set.shares_constant())
    values.send[static_cast<std::size_t>(DeviceKind::cpu)] += values.setup[0] / 2;
  Vector logarithms;
  for_each_parameter(set, values, [&](double value) { logarithms.push_back(std::log(std::max(value, nothing / 2))); });
  return logarithms;
}

namespace {

// Returns the gap's share of a core's time for a message and the gap after it. If curves of latency and bandwidth fit
// equally well with the core or the gap setting the pace, the core sets it; then a gap that a path adds does not appear
// too large.
double share_of_gap(const RegimeValues& values) {
  const double core = *std::max_element(values.send.begin(), values.send.end());
  return values.gap > 0 ? values.gap / (core + values.gap) : 0;
}

// The criterion: for each test the mean of |error|, plus the mean error on the fast side, so that no regime promises
// more than was measured. Of equally good fits the one with less gap wins.
double cost_of_values(const FitProblem& problem, const SizeRange& range, const RegimeValues& values) {
  double cost = 0;
  for (const auto& test : problem.tests) {
    double sum = 0;
    double optimism = 0;
    for (const auto& point : test.curve.points) {
      if (point.size < range.from || point.size > range.to || point.value <= 0)
        continue;
      const double found = predicted_value(values, test, static_cast<double>(point.size.count), problem.answer);
      const double error = (found - point.value) / point.value;
      sum += std::abs(error);
      if (std::abs(error) < 0.25) // limits the effect of an outlier
        optimism += is_window(test.form) ? error : -error;
    }
    cost += (sum + optimism_weight * std::max(0.0, optimism)) / static_cast<double>(test.curve.points.size());
  }
  return cost + gap_weight * share_of_gap(values);
}

// First guesses: how the constant and the slope of the first one-way test are divided.
struct Recipe {
  double overhead; // share of the constant
  double setup;
  double copy; // share of the slope
  double wire;
};
constexpr Recipe recipes[] = {
    {0.3, 0.3, 0.2, 0.5}, {0.1, 0.6, 0.02, 0.95}, {0.45, 0.1, 0.45, 0.05}, {0.05, 0.8, 0.3, 0.3}};

RegimeValues first_guess(const FitProblem& problem, const SizeRange& range, const Recipe& recipe) {
  double low = 1, high = 1, trip = 0;
  double low_size = 0, high_size = 1;
  for (const auto& test : problem.tests) {
    const bool is_time = !is_window(test.form);
    bool first = true;
    for (const auto& point : test.curve.points) {
      if (point.size < range.from || point.size > range.to || point.value <= 0)
        continue;
      const double size = static_cast<double>(point.size.count);
      const double time = is_time ? point.value : size / point.value;
      if (first) {
        low = time;
        low_size = size;
        first = false;
      }
      high = time;
      high_size = size;
    }
    trip = in_microseconds(test.trip);
    if (is_time && !first)
      break;
  }
  const double slope = std::max(1e-6, (high - low) / std::max(1.0, high_size - low_size));
  const double constant = std::max(0.02 * low, low - range.trips * trip - slope * low_size);
  RegimeValues values;
  values.send.fill(recipe.overhead * constant);
  values.receive.fill(recipe.overhead * constant);
  values.send_byte.fill(recipe.copy * slope);
  values.receive_byte.fill(recipe.copy * slope);
  values.setup.assign(problem.parameters.path_classes, recipe.setup * constant);
  for (const double link_byte : problem.parameters.link_byte)
    values.cap_byte.push_back(link_byte + recipe.wire * std::max(slope - link_byte, 0.05 * slope));
  values.gap = recipe.overhead * constant;
  return values;
}

RangeFit search(const FitProblem& problem, const SizeRange& range, const RegimeValues& start, int rounds,
                int evaluations) {
  const auto& set = problem.parameters;
  const auto cost = [&](const Vector& logarithms) {
    return cost_of_values(problem, range, from_logarithms(set, range.trips, logarithms));
  };
  Minimum best{to_logarithms(set, start), 0};
  best.value = cost(best.at);
  for (int round = 0; round < rounds; ++round) {
    constexpr double steps[] = {0.5, -0.3, 0.1, -1, 0.03, -0.1, 2, 0.01};
    auto found = minimise(cost, best.at, steps[static_cast<std::size_t>(round) % std::size(steps)], evaluations);
    if (found.value < best.value)
      best = std::move(found);
  }
  return {range, from_logarithms(set, range.trips, best.at), best.value};
}

} // namespace

ParameterSet parameters_of(std::span<const Observation> tests, bool cores_move_payload) {
  ParameterSet set;
  set.cores_move_payload = cores_move_payload;
  for (const auto& test : tests) {
    set.has_window = set.has_window || is_window(test.form);
    set.path_classes = std::max(set.path_classes, test.path_class + 1);
    set.link_byte.resize(set.path_classes);
    set.path_names.resize(set.path_classes);
    set.path_names[test.path_class] = test.path_name;
    if (test.narrowest)
      set.link_byte[test.path_class] = std::max(set.link_byte[test.path_class], 1e6 / test.narrowest->value);
    for (const auto kind : {test.from_kind, test.to_kind})
      if (std::find(set.kinds.begin(), set.kinds.end(), kind) == set.kinds.end())
        set.kinds.push_back(kind);
  }
  for (std::size_t c = 0; c < set.path_classes && set.kinds.size() > 1; ++c)
    set.has_pair_of_each_kind |= std::ranges::all_of(set.kinds, [&](DeviceKind kind) {
      return std::ranges::any_of(tests, [&](const Observation& test) {
        return test.path_class == c && test.from_kind == kind && test.to_kind == kind;
      });
    });
  return set;
}

std::size_t parameter_count(const ParameterSet& parameters) {
  std::size_t count = 0;
  auto values = from_logarithms(parameters, 1, Vector(100));
  for_each_parameter(parameters, values, [&](const double&) { ++count; });
  return count;
}

RangeFit fit_range(const FitProblem& problem, const SizeRange& range, Effort effort) {
  const bool quick = effort == Effort::quick;
  std::optional<RangeFit> best;
  for (const auto& recipe : std::span(recipes).first(quick ? 3 : 4)) {
    auto fit = search(problem, range, first_guess(problem, range, recipe), quick ? 3 : 8, quick ? 700 : 3000);
    if (!best || fit.cost < best->cost)
      best = std::move(fit);
  }
  return *best;
}

std::vector<NamedParameter> named_values(const ParameterSet& parameters, const RegimeValues& values) {
  std::vector<NamedParameter> named;
  for (const auto kind : parameters.kinds) {
    const std::string word(name_of(device_kind_names, kind));
    named.push_back({"o_send " + word, "us", of_kind(values.send, kind)});
    named.push_back({"o_recv " + word, "us", of_kind(values.receive, kind)});
    named.push_back({"per_byte_send " + word, "ns/B", 1e3 * of_kind(values.send_byte, kind)});
    named.push_back({"per_byte_recv " + word, "ns/B", 1e3 * of_kind(values.receive_byte, kind)});
  }
  for (std::size_t c = 0; c < parameters.path_classes; ++c) {
    const auto suffix = parameters.path_classes > 1 ? " " + parameters.path_names[c] : "";
    named.push_back({"setup" + suffix, "us", values.setup[c]});
    if (values.cap_byte[c] > 0)
      named.push_back({"cap" + suffix, "MB/s", 1 / values.cap_byte[c]});
  }
  named.push_back({"gap", "us", values.gap});
  return named;
}

} // namespace kakehashi
