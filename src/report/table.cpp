#include "report/report.hpp"

#include <fmt/ostream.h>
#include <fmt/ranges.h>

namespace kakehashi {
namespace {

std::string ranks_text(const std::vector<std::string>& ranks) {
  constexpr std::size_t most = 8;
  const std::vector<std::string> first(ranks.begin(),
                                       ranks.begin() + static_cast<std::ptrdiff_t>(std::min(most, ranks.size())));
  return fmt::format("{}{}", fmt::join(first, ", "),
                     ranks.size() > most ? fmt::format(" and {} more", ranks.size() - most) : "");
}

// The columns that the benchmark itself prints.
std::string heading(BenchmarkName name) {
  switch (name) {
  case BenchmarkName::imb_pingpong:
    return fmt::format("{:>10} {:>13} {:>10} {:>12}", "#bytes", "#repetitions", "t[usec]", "Mbytes/sec");
  case BenchmarkName::imb_sendrecv:
  case BenchmarkName::imb_exchange:
    return fmt::format("{:>10} {:>13} {:>12} {:>12} {:>12} {:>12}", "#bytes", "#repetitions", "t_min[usec]",
                       "t_max[usec]", "t_avg[usec]", "Mbytes/sec");
  case BenchmarkName::osu_latency: return fmt::format("{:<10} {:>16}", "# Size", "Latency (us)");
  case BenchmarkName::osu_bw: return fmt::format("{:<10} {:>16}", "# Size", "Bandwidth (MB/s)");
  case BenchmarkName::osu_bibw: return fmt::format("{:<10} {:>16}", "# Size", "Bi-Bandwidth (MB/s)");
  }
  return "";
}

std::string cells(BenchmarkName name, const SizeRow& row) {
  const auto us = [](Seconds time) { return in_microseconds(time); };
  switch (name) {
  case BenchmarkName::imb_pingpong:
    return fmt::format("{:>10} {:>13} {:>10.2f} {:>12.2f}", row.size.count, row.repetitions, us(row.t_avg),
                       row.bandwidth);
  case BenchmarkName::imb_sendrecv:
  case BenchmarkName::imb_exchange:
    return fmt::format("{:>10} {:>13} {:>12.2f} {:>12.2f} {:>12.2f} {:>12.2f}", row.size.count, row.repetitions,
                       us(row.t_min), us(row.t_max), us(row.t_avg), row.bandwidth);
  case BenchmarkName::osu_latency: return fmt::format("{:<10} {:>16.2f}", row.size.count, us(row.t_avg));
  case BenchmarkName::osu_bw: return fmt::format("{:<10} {:>16.2f}", row.size.count, row.bandwidth);
  case BenchmarkName::osu_bibw: return fmt::format("{:<10} {:>19.2f}", row.size.count, row.bandwidth);
  }
  return "";
}

void write_repeats(const Repeats& repeats, std::span<const SizeRow> rows, std::ostream& out) {
  fmt::print(out, "# {} runs, simultaneous events in different orders:\n# {:>10} {:>14} {:>14} {:>14} {:>9}\n",
             repeats.runs, rows.empty() ? "" : "bytes", "median[usec]", "least[usec]", "greatest[usec]", "spread");
  for (std::size_t i = 0; i < repeats.spreads.size(); ++i) {
    const auto& [median, least, greatest] = repeats.spreads[i];
    fmt::print(out, "# {:>10} {:>14.2f} {:>14.2f} {:>14.2f} {:>7.2f} %\n",
               rows.empty() ? "last end" : std::to_string(rows[i].size.count), in_microseconds(median),
               in_microseconds(least), in_microseconds(greatest),
               median.value > 0 ? 100 * ((greatest - least) / median) : 0);
  }
}

void write_summary(const ReferenceUse& reference, const BenchmarkRecord& record, std::ostream& out) {
  const auto all = summarise(record.rows);
  if (!all)
    return fmt::print(out, "# {} has none of these sizes\n", reference.file);
  fmt::print(out, "# mean error {:.1f} %, worst {:.1f} % at {}, over {} sizes", 100 * all->mean, 100 * all->worst,
             to_text(all->worst_size), all->points);
  if (reference.metric == Metric::bandwidth)
    if (const auto from_8 = summarise(record.rows, Bytes{8}))
      fmt::print(out, "; from 8 B on mean {:.1f} %, worst {:.1f} % at {}", 100 * from_8->mean, 100 * from_8->worst,
                 to_text(from_8->worst_size));
  fmt::print(out, "\n# against {} ({})\n", reference.file, name_of(curve_use_names, reference.use));
}

void write_benchmark(const RunRecord& run, const BenchmarkRecord& record, std::ostream& out) {
  const auto name = record.benchmark.name;
  out << heading(name);
  if (run.reference)
    fmt::print(out, " {:>12} {:>9}", "measured", "error");
  out << '\n';
  for (const auto& row : record.rows) {
    out << cells(name, row);
    if (run.reference && row.measured)
      fmt::print(out, " {:>12.2f} {:>9}", *row.measured, row.error ? fmt::format("{:+.1f} %", 100 * *row.error) : "-");
    out << '\n';
  }
  if (run.reference)
    write_summary(*run.reference, record, out);
}

void write_steps(const RunRecord& run, const StepsRecord& record, std::ostream& out) {
  fmt::print(out, "{:<8} {:<24} {:>16}\n", "# Rank", "Device", "Ends at (us)");
  for (std::size_t rank = 0; rank < record.finish.size(); ++rank)
    fmt::print(out, "{:<8} {:<24} {:>16.3f}\n", rank, run.ranks[rank], in_microseconds(record.finish[rank]));
}

} // namespace

void write_table(const RunRecord& record, std::ostream& out) {
  const auto* benchmark = std::get_if<BenchmarkRecord>(&record.outcome);
  fmt::print(out, "# {}: {} on {}, fabric {}\n# ranks on {}\n", record.scenario,
             benchmark ? name_of(benchmark_names, benchmark->benchmark.name) : "steps", record.platform, record.fabric,
             ranks_text(record.ranks));
  if (record.tolerance) // SimGrid needs no mention
    fmt::print(out, "# engine {}\n", record.engine);
  if (benchmark)
    write_benchmark(record, *benchmark, out);
  else
    write_steps(record, std::get<StepsRecord>(record.outcome), out);
  if (record.repeats)
    write_repeats(*record.repeats, benchmark ? std::span(benchmark->rows) : std::span<const SizeRow>(), out);
}

} // namespace kakehashi
