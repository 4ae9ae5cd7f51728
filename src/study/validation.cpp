#include "study/validation.hpp"

#include "study/run.hpp"
#include "study/score.hpp"

namespace kakehashi {
namespace {

Task<CurveErrors> task_of(const ReferenceCase& item) {
  return [&item]() -> Result<CurveErrors> {
    const auto record = run(item.scenario);
    return record ? errors_of(*record, item) : record.errors();
  };
}

Task<double> task_of(const Scenario& scenario, Claim::Number number) {
  return [&scenario, number]() -> Result<double> {
    const auto record = run(scenario);
    return record ? Result<double>(number_of(*record, number)) : record.errors();
  };
}

double value_of(const Claim& claim, std::span<const Result<double>> results) {
  std::vector<double> numbers;
  for (const auto& result : results)
    numbers.push_back(*result);
  return value_of(claim, numbers);
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
  const auto count = [&](std::size_t more) { progress(done += more, curves.size() + claims.size()); };
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
