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

Task task_of(const ReferenceCase& item) {
  return [&item]() -> Result<Numbers> {
    const auto record = run(item.scenario);
    if (!record)
      return record.errors();
    const auto& rows = record->measured;
    const auto summary = summarise(rows, item.target ? item.target->from : Bytes{});
    if (!summary)
      return Error{ErrorKind::run, item.scenario.file, "", "the reference has none of the scenario's sizes", ""};
    return Numbers{static_cast<double>(summary->points), summary->mean, summary->worst,
                   static_cast<double>(summary->worst_size.count), worst_but_outliers(rows, item.target)};
  };
}

void judge(ValidationRow& row, const std::optional<Target>& target, const Numbers& numbers) {
  row.points = static_cast<std::size_t>(numbers[0]);
  row.mean = numbers[1];
  row.worst = numbers[2];
  row.worst_size = Bytes{static_cast<std::uint64_t>(numbers[3])};
  row.verdict = Verdict::pass;
  if (!target) {
    row.reason = "no target";
  } else if (row.mean > target->mean) {
    row.verdict = Verdict::fail;
  } else if (target->worst && numbers[4] > *target->worst) {
    row.verdict = Verdict::fail;
    row.reason = fmt::format("{:.1f} % at a size that is no known outlier", 100 * numbers[4]);
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

Task task_of(const Scenario& scenario, Claim::Number number) {
  return [&scenario, number]() -> Result<Numbers> {
    const auto record = run(scenario);
    if (!record)
      return record.errors();
    const auto& figures = record->table.figures.front();
    return Numbers{number == Claim::Number::time ? in_microseconds(figures.t_avg) : figures.rate};
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

double value_of(const Claim& claim, std::span<const Result<Numbers>> results) {
  const double first = results[0]->front();
  switch (claim.comparison) {
  case Claim::Comparison::ratio: return first / results[1]->front();
  case Claim::Comparison::difference: return first - results[1]->front();
  default: return first;
  }
}

bool is_crossover(const ClaimCase& item) {
  return item.claim.comparison == Claim::Comparison::crossover;
}

} // namespace

Validation validate(const Catalogue& catalogue, bool large, int jobs, const StudyProgress& progress) {
  std::vector<Task> tasks;
  for (const auto& item : catalogue.curves)
    tasks.push_back(task_of(item));
  for (const auto& item : catalogue.claims)
    for (const auto& wanted : item.runs)
      if (!is_crossover(item) && (large || !is_large(item)))
        tasks.push_back(task_of(wanted, item.claim.number));
  std::size_t done = 0;
  const auto results = run_in_children(tasks, jobs, [&] { progress(++done, tasks.size()); });

  Validation validation;
  std::size_t next = 0;
  const auto failed = [](ValidationRow& row, std::span<const Result<Numbers>> of_row) {
    for (const auto& result : of_row)
      if (!result) {
        row.verdict = Verdict::fail;
        row.reason = to_text(result.errors().front());
        return true;
      }
    return false;
  };
  for (const auto& item : catalogue.curves) {
    auto row = row_of(item);
    const auto of_row = std::span(results).subspan(next++, 1);
    if (!failed(row, of_row))
      judge(row, item.target, *of_row.front());
    validation.rows.push_back(std::move(row));
  }
  for (const auto& item : catalogue.claims) {
    auto row = row_of(item, large);
    const bool was_run = !is_crossover(item) && (large || !is_large(item));
    const auto of_row = std::span(results).subspan(next, was_run ? item.runs.size() : 0);
    next += of_row.size();
    if (row.reason.empty() && is_crossover(item)) {
      if (const auto found = crossover_of(item, jobs))
        judge(row, item.claim, *found);
      else
        failed(row, std::array{Result<Numbers>(found.errors())});
    } else if (row.reason.empty() && !failed(row, of_row)) {
      judge(row, item.claim, value_of(item.claim, of_row));
    }
    validation.rows.push_back(std::move(row));
  }
  return validation;
}

} // namespace kakehashi
