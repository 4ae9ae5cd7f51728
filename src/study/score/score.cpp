#include "study/score/score.hpp"

#include "study/sweep/algorithm_contest.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace kakehashi {
namespace {

// Runs of more ranks than this take long.
constexpr std::size_t quick_ranks = 1024;

std::string outlier_names(const Target& target) {
  std::vector<std::string> names;
  for (const auto size : target.outliers)
    names.push_back(to_text(size));
  return fmt::format("{}", fmt::join(names, ", "));
}

// Returns the largest error at a size that is no known outlier of the measurement.
double worst_but_outliers(std::span<const MeasuredValue> rows, const std::optional<Target>& target) {
  double worst = 0;
  for (const auto& row : rows) {
    const bool is_outlier =
        target && (row.size < target->from ||
                   std::find(target->outliers.begin(), target->outliers.end(), row.size) != target->outliers.end());
    if (row.error && !is_outlier)
      worst = std::max(worst, std::abs(*row.error));
  }
  return worst;
}

std::string fabrics_of(const std::vector<Scenario>& runs) {
  std::vector<std::string> names;
  for (const auto& run : runs)
    if (std::ranges::find(names, run.fabric) == names.end())
      names.push_back(run.fabric);
  return fmt::format("{}", fmt::join(names, " "));
}

// Sets the verdict of a line that is known to fail.
void expect_miss(ValidationRow& row, const std::string& why) {
  const bool holds = row.verdict == Verdict::pass;
  row.verdict = holds ? Verdict::fail : Verdict::miss;
  row.reason = holds ? "holds, though it is listed as missed" : why;
}

} // namespace

ValidationRow row_of(const ReferenceCase& item) {
  ValidationRow row;
  row.platform = item.scenario.platform->name;
  row.fabric = item.scenario.fabric;
  row.name = item.scenario.name;
  row.kind = name_of(curve_use_names, item.scenario.reference->use);
  row.role = item.target                                             ? item.target->role
             : item.scenario.reference->use == CurveUse::calibration ? std::optional(Role::fit)
                                                                     : std::optional(Role::prediction);
  if (item.target) {
    row.target = item.target->mean;
    row.from = item.target->from;
    row.repeats = item.target->repeats;
  }
  return row;
}

Result<CurveErrors> errors_of(const RunRecord& record, const ReferenceCase& item) {
  const auto& rows = record.measured;
  const auto summary = summarise(rows, item.target ? item.target->from : Bytes{});
  if (!summary)
    return file_error(ErrorKind::run, item.scenario.file, "the reference has none of the scenario's sizes");
  return CurveErrors{summary->points, summary->mean, summary->worst, summary->worst_size,
                     worst_but_outliers(rows, item.target)};
}

void judge(ValidationRow& row, const std::optional<Target>& target, const CurveErrors& errors) {
  row.points = errors.points;
  row.mean = errors.mean;
  row.worst = errors.worst;
  row.worst_size = errors.worst_size;
  row.verdict = Verdict::pass;
  if (!target) {
    row.verdict = Verdict::shown;
    row.reason = "no target";
  } else if (row.mean > target->mean) {
    row.verdict = Verdict::fail;
  } else if (target->worst && errors.worst_but_outliers > *target->worst) {
    row.verdict = Verdict::fail;
    row.reason = fmt::format("{:.1f} % at a size that is no known outlier", 100 * errors.worst_but_outliers);
  } else if (!target->outliers.empty()) {
    row.reason = fmt::format("outliers {}", outlier_names(*target));
  }
  if (target && !target->missed.empty())
    expect_miss(row, target->missed);
}

double number_of(const RunRecord& record, Claim::Number number) {
  const auto number_at = [&](const auto& figures) {
    return number == Claim::Number::time ? in_microseconds(figures.t_avg) : figures.rate;
  };
  const auto& sizes = record.table.figures;
  if (sizes.size() == 1)
    return number_at(sizes.front());
  double logarithms = 0;
  for (const auto& figures : sizes)
    logarithms += std::log(number_at(figures));
  return std::exp(logarithms / static_cast<double>(sizes.size()));
}

double value_of(const Claim& claim, std::span<const double> numbers) {
  switch (claim.comparison) {
  case Claim::Comparison::ratio: return numbers[0] / numbers[1];
  case Claim::Comparison::difference: return numbers[0] - numbers[1];
  default: return claim.number == Claim::Number::bandwidth ? numbers[0] * 1e6 / claim.megabyte : numbers[0];
  }
}

bool is_large(const ClaimCase& item) {
  return std::any_of(item.runs.begin(), item.runs.end(),
                     [](const Scenario& scenario) { return scenario.ranks.size() > quick_ranks; });
}

bool is_crossover(const ClaimCase& item) {
  return item.claim.comparison == Claim::Comparison::crossover;
}

Result<double> crossover_of(const ClaimCase& item, int jobs) {
  const auto comparison =
      compare({{"first", item.runs[0]}, {"second", item.runs[1]}}, jobs, [](std::size_t, std::size_t) {});
  if (!comparison)
    return comparison.errors();
  if (comparison->rows.front().winner != 0)
    return 0.0;
  const auto found = comparison->crossovers.empty() ? std::nullopt : std::optional(comparison->crossovers.front());
  return static_cast<double>(found ? found->size - comparison->multiple : comparison->rows.back().size);
}

ValidationRow row_of(const ClaimCase& item, bool large) {
  ValidationRow row;
  row.platform = item.claim.platform;
  row.fabric = fabrics_of(item.runs);
  row.name = item.claim.id;
  row.kind = "claim";
  row.role = item.claim.role;
  row.is_implied = item.claim.is_implied;
  row.repeats = item.claim.repeats;
  row.is_stiff = std::ranges::any_of(item.claim.turned_by, [](const ScaledParameter& each) {
    constexpr double most = 10;
    return each.factor > most || each.factor < 1 / most;
  });
  row.low = item.claim.low;
  row.high = item.claim.high;
  row.reason = item.pending;
  if (row.reason.empty() && is_large(item) && !large)
    row.reason = "takes long; --large runs it";
  if (!item.fault.empty()) {
    row.verdict = Verdict::fail;
    row.reason = item.fault;
  }
  return row;
}

void judge(ValidationRow& row, const Claim& claim, double value) {
  row.value = value;
  // If the second run wins at high, the first run's last size is smaller.
  const bool is_below = claim.comparison == Claim::Comparison::crossover ? value < claim.high : value <= claim.high;
  const bool holds = value >= claim.low && is_below;
  row.verdict = holds ? Verdict::pass : Verdict::fail;
  if (!claim.missed.empty())
    expect_miss(row, claim.missed);
}

Validation validate(const Catalogue& catalogue, bool large, int jobs, const Team* team, const StudyProgress& progress) {
  auto lines = lines_of(catalogue, large);
  Runs runs;
  std::vector<Wanted> wanted;
  for (const auto& line : lines)
    wanted.push_back(line.row.now.reason.empty() ? runs.want(line, {}) : Wanted{});
  runs.run(jobs, team, progress);
  Validation validation;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    auto& row = lines[i].row.now;
    if (!wanted[i].empty())
      outcome_of(lines[i], runs, wanted[i], row);
    validation.rows.push_back(std::move(row));
  }
  return validation;
}

} // namespace kakehashi
