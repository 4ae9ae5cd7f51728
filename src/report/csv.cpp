#include "report/report.hpp"

#include <fmt/ostream.h>

namespace kakehashi {

namespace {

void write_ends(const RunRecord& record, std::span<const Seconds> ends, std::ostream& out) {
  out << "rank,device,end_us\n";
  for (std::size_t rank = 0; rank < ends.size(); ++rank)
    fmt::print(out, "{},{},{:.6f}\n", rank, record.ranks[rank], in_microseconds(ends[rank]));
}

} // namespace

void write_csv(const RunRecord& record, std::ostream& out) {
  if (const auto* steps = std::get_if<StepsRecord>(&record.outcome))
    return write_ends(record, steps->finish, out);
  if (const auto* replay = std::get_if<ReplayRecord>(&record.outcome))
    return write_ends(record, replay->finish, out);
  if (const auto* work = std::get_if<BossWorkerRecord>(&record.outcome)) {
    out << "work_item,items,time_us,items_per_s\n";
    for (const auto& row : work->rows)
      fmt::print(out, "{},{},{:.6f},{:.6f}\n", row.work_item, row.items, in_microseconds(row.time),
                 row.items_per_second());
    return;
  }
  const auto& benchmark = std::get<BenchmarkRecord>(record.outcome);
  const bool is_collective = collective_of(benchmark.benchmark.name).has_value();
  fmt::print(out, "bytes,repetitions,t_min_us,t_max_us,t_avg_us,{}", is_collective ? "algorithm" : "mbytes_per_s");
  if (record.reference)
    fmt::print(out, ",measured_{},error", record.reference->metric == Metric::time ? "us" : "mbytes_per_s");
  if (record.repeats)
    out << ",median_us,least_us,greatest_us";
  out << '\n';
  const auto& rows = benchmark.rows;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& row = rows[i];
    fmt::print(out, "{},{},{:.6f},{:.6f},{:.6f},{}", row.size.count, row.repetitions, in_microseconds(row.t_min),
               in_microseconds(row.t_max), in_microseconds(row.t_avg),
               is_collective ? row.algorithm : fmt::format("{:.6f}", row.bandwidth));
    if (record.reference)
      fmt::print(out, ",{},{}", row.measured ? fmt::format("{}", *row.measured) : "",
                 row.error ? fmt::format("{:.6f}", *row.error) : "");
    if (record.repeats) {
      const auto& [median, least, greatest] = record.repeats->spreads[i];
      fmt::print(out, ",{:.6f},{:.6f},{:.6f}", in_microseconds(median), in_microseconds(least),
                 in_microseconds(greatest));
    }
    out << '\n';
  }
}

} // namespace kakehashi
