#include "study/validation.hpp"

#include "engine/run.hpp"
#include "study/pool.hpp"

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
double worst_but_outliers(std::span<const SizeRow> rows, const std::optional<Target>& target) {
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
    const auto& rows = std::get<BenchmarkRecord>(record->outcome).rows;
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

BenchmarkName benchmark_of(const Claim& claim) {
  if (claim.benchmark == "osu_bw")
    return BenchmarkName::osu_bw;
  return claim.benchmark == "osu_latency" ? BenchmarkName::osu_latency : BenchmarkName::imb_pingpong;
}

Result<Scenario> scenario_of(const ClaimCase& item, const ClaimRun& wanted) {
  const auto& platform = *item.platform;
  const auto missing = [&](const std::string& what) {
    return Error{ErrorKind::input, platform.file, "", mismatch("no " + what, "it for the claim " + item.claim.id), ""};
  };
  if (!find_fabric(platform, wanted.fabric))
    return missing("fabric " + wanted.fabric);
  Scenario scenario;
  for (const auto& name : {wanted.from, wanted.to}) {
    const auto device = find_device(platform, name);
    if (!device)
      return missing("device " + name);
    scenario.ranks.push_back(*device);
  }
  scenario.name = item.claim.id;
  scenario.platform = item.platform;
  scenario.fabric = wanted.fabric;
  Benchmark benchmark;
  benchmark.name = benchmark_of(item.claim);
  benchmark.sizes = {item.claim.size};
  scenario.workload = benchmark;
  return scenario;
}

Task task_of(const ClaimCase& item, const ClaimRun& wanted) {
  return [&item, &wanted]() -> Result<Numbers> {
    const auto scenario = scenario_of(item, wanted);
    if (!scenario)
      return scenario.errors();
    const auto record = run(*scenario);
    if (!record)
      return record.errors();
    const auto& row = std::get<BenchmarkRecord>(record->outcome).rows.front();
    return Numbers{value_of(row, item.claim.is_latency ? Metric::time : Metric::bandwidth)};
  };
}

ValidationRow row_of(const ClaimCase& item) {
  ValidationRow row;
  row.platform = item.claim.platform;
  row.name = item.claim.id;
  row.kind = "claim";
  row.low = item.claim.low;
  row.high = item.claim.high;
  if (!item.platform)
    row.reason = "the platform does not exist yet";
  else if (item.claim.runs.empty())
    row.reason = "the benchmark " + item.claim.benchmark + " does not exist yet";
  return row;
}

void judge(ValidationRow& row, const Claim& claim, std::span<const Result<Numbers>> results) {
  std::vector<double> values;
  for (const auto& result : results)
    values.push_back(result->front());
  row.value = claim.comparison == Claim::Comparison::ratio        ? values[0] / values[1]
              : claim.comparison == Claim::Comparison::difference ? values[0] - values[1]
                                                                  : values[0];
  row.verdict = *row.value >= claim.low && *row.value <= claim.high ? Verdict::pass : Verdict::fail;
}

} // namespace

Validation validate(const Catalogue& catalogue, int jobs,
                    const std::function<void(std::size_t, std::size_t)>& progress) {
  std::vector<Task> tasks;
  for (const auto& item : catalogue.curves)
    tasks.push_back(task_of(item));
  for (const auto& item : catalogue.claims)
    if (item.platform)
      for (const auto& wanted : item.claim.runs)
        tasks.push_back(task_of(item, wanted));
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
    auto row = row_of(item);
    if (row.reason.empty()) {
      const auto of_row = std::span(results).subspan(next, item.claim.runs.size());
      next += of_row.size();
      if (!failed(row, of_row))
        judge(row, item.claim, of_row);
    }
    validation.rows.push_back(std::move(row));
  }
  return validation;
}

} // namespace kakehashi
