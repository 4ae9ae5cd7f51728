#include "study/validation.hpp"

#include "study/comparison.hpp"
#include "study/pool.hpp"
#include "study/run.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace kakehashi {
namespace {

ValidationRow row_of(const ReferenceCase& item) {
  ValidationRow row;
  row.platform = item.scenario.platform->name;
  row.name = item.scenario.name;
  row.kind = name_of(curve_use_names, item.scenario.reference->use);
  if (item.target) {
    row.target = item.target->mean;
    row.from = item.target->from;
  }
  return row;
}

std::string outlier_names(const Target& target) {
  std::vector<std::string> names;
  for (const auto size : target.outliers)
    names.push_back(to_text(size));
  return fmt::format("{}", fmt::join(names, ", "));
}

// The largest error at a size that is not a known outlier of the measurement.
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

// How far the predictions for a curve are from it.
struct CurveErrors {
  std::size_t points = 0;
  double mean = 0;
  double worst = 0;
  Bytes worst_size;
  double worst_but_outliers = 0;
  static constexpr auto fields() {
    return std::tuple(&CurveErrors::points, &CurveErrors::mean, &CurveErrors::worst, &CurveErrors::worst_size,
                      &CurveErrors::worst_but_outliers);
  }
};

Task<CurveErrors> task_of(const ReferenceCase& item) {
  return [&item]() -> Result<CurveErrors> {
    const auto record = run(item.scenario);
    if (!record)
      return record.errors();
    const auto& rows = record->measured;
    const auto summary = summarise(rows, item.target ? item.target->from : Bytes{});
    if (!summary)
      return Error{ErrorKind::run, item.scenario.file, "", "the reference has none of the scenario's sizes", ""};
    return CurveErrors{summary->points, summary->mean, summary->worst, summary->worst_size,
                       worst_but_outliers(rows, item.target)};
  };
}

void judge(ValidationRow& row, const std::optional<Target>& target, const CurveErrors& errors) {
  row.points = errors.points;
  row.mean = errors.mean;
  row.worst = errors.worst;
  row.worst_size = errors.worst_size;
  row.verdict = Verdict::pass;
  if (!target) {
    row.reason = "no target";
  } else if (row.mean > target->mean) {
    row.verdict = Verdict::fail;
  } else if (target->worst && errors.worst_but_outliers > *target->worst) {
    row.verdict = Verdict::fail;
    row.reason = fmt::format("{:.1f} % at a size that is no known outlier", 100 * errors.worst_but_outliers);
  } else if (!target->outliers.empty()) {
    row.reason = fmt::format("outliers {}", outlier_names(*target));
  }
}

// Claims

// Runs of more ranks than this take minutes.
constexpr std::size_t most_ranks = 1024;

bool is_large(const ClaimCase& item) {
  return std::any_of(item.runs.begin(), item.runs.end(),
                     [](const Scenario& scenario) { return scenario.ranks.size() > most_ranks; });
}

Task<double> task_of(const Scenario& scenario, Claim::Number number) {
  return [&scenario, number]() -> Result<double> {
    const auto record = run(scenario);
    if (!record)
      return record.errors();
    const auto& figures = record->table.figures.front();
    return number == Claim::Number::time ? in_microseconds(figures.t_avg) : figures.rate;
  };
}

// The size through which the first run's time is the shorter one: that before the first crossover. If there is none it
// is the largest size, or nothing.
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
  row.name = item.claim.id;
  row.kind = "claim";
  row.low = item.claim.low;
  row.high = item.claim.high;
  row.reason = item.pending;
  if (row.reason.empty() && is_large(item) && !large)
    row.reason = "takes minutes; --large runs it";
  if (!item.fault.empty()) {
    row.verdict = Verdict::fail;
    row.reason = item.fault;
  }
  return row;
}

void judge(ValidationRow& row, const Claim& claim, double value) {
  row.value = value;
  row.verdict = value >= claim.low && value <= claim.high ? Verdict::pass : Verdict::fail;
}

double value_of(const Claim& claim, std::span<const Result<double>> results) {
  const double first = *results[0];
  switch (claim.comparison) {
  case Claim::Comparison::ratio: return first / *results[1];
  case Claim::Comparison::difference: return first - *results[1];
  default: return first;
  }
}

bool is_crossover(const ClaimCase& item) {
  return item.claim.comparison == Claim::Comparison::crossover;
}

} // namespace

Validation validate(const Catalogue& catalogue, bool large, int jobs, const StudyProgress& progress) {
  std::vector<Task<CurveErrors>> curves;
  for (const auto& item : catalogue.curves)
    curves.push_back(task_of(item));
  std::vector<Task<double>> claims;
  for (const auto& item : catalogue.claims)
    for (const auto& wanted : item.runs)
      if (!is_crossover(item) && (large || !is_large(item)))
        claims.push_back(task_of(wanted, item.claim.number));
  std::size_t done = 0;
  const auto count = [&] { progress(++done, curves.size() + claims.size()); };
  const auto of_curves = run_in_children(curves, jobs, count);
  const auto of_claims = run_in_children(claims, jobs, count);

  Validation validation;
  const auto failed = [](ValidationRow& row, const auto& of_row) {
    for (const auto& result : of_row)
      if (!result) {
        row.verdict = Verdict::fail;
        row.reason = to_text(result.errors().front());
        return true;
      }
    return false;
  };
  for (std::size_t i = 0; i < of_curves.size(); ++i) {
    const auto& item = catalogue.curves[i];
    auto row = row_of(item);
    if (!failed(row, std::span(of_curves).subspan(i, 1)))
      judge(row, item.target, *of_curves[i]);
    validation.rows.push_back(std::move(row));
  }
  std::size_t next = 0;
  for (const auto& item : catalogue.claims) {
    auto row = row_of(item, large);
    const bool was_run = !is_crossover(item) && (large || !is_large(item));
    const auto of_row = std::span(of_claims).subspan(next, was_run ? item.runs.size() : 0);
    next += of_row.size();
    if (row.reason.empty() && is_crossover(item)) {
      if (const auto found = crossover_of(item, jobs))
        judge(row, item.claim, *found);
      else
        failed(row, std::array{found});
    } else if (row.reason.empty() && !failed(row, of_row)) {
      judge(row, item.claim, value_of(item.claim, of_row));
    }
    validation.rows.push_back(std::move(row));
  }
  return validation;
}

} // namespace kakehashi
