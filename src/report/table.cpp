#include "report/report.hpp"
#include "report/summary_report.hpp"

#include <algorithm>
#include <fmt/ostream.h>
#include <fmt/ranges.h>
#include <functional>
#include <numeric>

namespace kakehashi {
namespace {

std::string ranks_text(const std::vector<std::string>& ranks) {
  constexpr std::size_t most = 8;
  const std::vector<std::string> first(ranks.begin(),
                                       ranks.begin() + static_cast<std::ptrdiff_t>(std::min(most, ranks.size())));
  return fmt::format("{}{}", fmt::join(first, ", "),
                     ranks.size() > most ? fmt::format(" and {} more", ranks.size() - most) : "");
}

// How a benchmark prints its table.
struct TableForm {
  std::string heading;
  std::string (*cells)(const SizeRow& row);
};

std::string imb_times(const SizeRow& row) {
  return fmt::format(" {:>12.2f} {:>12.2f} {:>12.2f}", in_microseconds(row.t_min), in_microseconds(row.t_max),
                     in_microseconds(row.t_avg));
}
std::string osu_times(const SizeRow& row) {
  return fmt::format("{:>16.2f} {:>17.2f} {:>17.2f} {:>11}", in_microseconds(row.t_avg), in_microseconds(row.t_min),
                     in_microseconds(row.t_max), row.repetitions);
}

constexpr std::string_view imb_head = "    #bytes  #repetitions";
constexpr std::string_view imb_times_head = "  t_min[usec]  t_max[usec]  t_avg[usec]";
constexpr std::string_view osu_times_head = " Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations";

TableForm imb_collective_form(bool has_size) {
  if (!has_size)
    return {fmt::format("{:>13}{}", "#repetitions", imb_times_head),
            [](const SizeRow& row) { return fmt::format("{:>13}", row.repetitions) + imb_times(row); }};
  return {fmt::format("{}{}", imb_head, imb_times_head), [](const SizeRow& row) {
            return fmt::format("{:>10} {:>13}", row.size.count, row.repetitions) + imb_times(row);
          }};
}
// With all its columns, as its option -f.
TableForm osu_collective_form(bool has_size) {
  if (!has_size)
    return {fmt::format("#{}", osu_times_head), [](const SizeRow& row) { return " " + osu_times(row); }};
  return {fmt::format("{:<10} {}", "# Size", osu_times_head),
          [](const SizeRow& row) { return fmt::format("{:<10} ", row.size.count) + osu_times(row); }};
}

TableForm form_of(BenchmarkName name) {
  switch (name) {
  case BenchmarkName::imb_pingpong:
    return {fmt::format("{} {:>10} {:>12}", imb_head, "t[usec]", "Mbytes/sec"), [](const SizeRow& row) {
              return fmt::format("{:>10} {:>13} {:>10.2f} {:>12.2f}", row.size.count, row.repetitions,
                                 in_microseconds(row.t_avg), row.bandwidth);
            }};
  case BenchmarkName::imb_sendrecv:
  case BenchmarkName::imb_exchange:
    return {fmt::format("{}{} {:>12}", imb_head, imb_times_head, "Mbytes/sec"), [](const SizeRow& row) {
              return fmt::format("{:>10} {:>13}", row.size.count, row.repetitions) + imb_times(row) +
                     fmt::format(" {:>12.2f}", row.bandwidth);
            }};
  case BenchmarkName::osu_put_latency:
  case BenchmarkName::osu_get_latency:
    return {fmt::format("{:<10} {:>16} {:>16}", "# Size", "Latency (us)", "MB/s"), [](const SizeRow& row) {
              return fmt::format("{:<10} {:>16.2f} {:>16.2f}", row.size.count, in_microseconds(row.t_avg),
                                 row.bandwidth);
            }};
  case BenchmarkName::ring:
  case BenchmarkName::open_ring:
    return {fmt::format("{:<10} {:>16} {:>16}  {}", "# Size", "Slowest (us)", "MB/s", "slowest step (ranks)"),
            [](const SizeRow& row) {
              return fmt::format("{:<10} {:>16.2f} {:>16.2f}  {} to {}", row.size.count, in_microseconds(row.t_max),
                                 row.bandwidth, (*row.slowest_step)[0], (*row.slowest_step)[1]);
            }};
  case BenchmarkName::osu_latency:
    return {fmt::format("{:<10} {:>16}", "# Size", "Latency (us)"), [](const SizeRow& row) {
              return fmt::format("{:<10} {:>16.2f}", row.size.count, in_microseconds(row.t_avg));
            }};
  case BenchmarkName::osu_bw:
    return {fmt::format("{:<10} {:>16}", "# Size", "Bandwidth (MB/s)"),
            [](const SizeRow& row) { return fmt::format("{:<10} {:>16.2f}", row.size.count, row.bandwidth); }};
  case BenchmarkName::osu_bibw:
    return {fmt::format("{:<10} {:>16}", "# Size", "Bi-Bandwidth (MB/s)"),
            [](const SizeRow& row) { return fmt::format("{:<10} {:>19.2f}", row.size.count, row.bandwidth); }};
  default: return is_imb(name) ? imb_collective_form(has_sizes(name)) : osu_collective_form(has_sizes(name));
  }
}

// "binomial, ring from 2 KiB on"
std::string algorithms_text(const std::vector<SizeRow>& rows) {
  std::string text;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (i == 0 || rows[i].algorithm != rows[i - 1].algorithm)
      text += i == 0 ? rows[i].algorithm : fmt::format(", {} from {} on", rows[i].algorithm, to_text(rows[i].size));
  return text;
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
  if (collective_of(record.benchmark.name))
    fmt::print(out, "# algorithm: {}\n", algorithms_text(record.rows));
  const auto form = form_of(record.benchmark.name);
  out << form.heading;
  if (run.reference)
    fmt::print(out, " {:>12} {:>9}", "measured", "error");
  out << '\n';
  for (const auto& row : record.rows) {
    out << form.cells(row);
    if (run.reference && row.measured)
      fmt::print(out, " {:>12.2f} {:>9}", *row.measured, row.error ? signed_percent(*row.error) : "-");
    out << '\n';
  }
  if (run.reference)
    write_summary(*run.reference, record, out);
}

void write_work(const BossWorkerRecord& record, std::ostream& out) {
  fmt::print(out, "{:<12} {:>10} {:>16} {:>16}\n", "# Work item", "items", "time (us)", "items/s");
  for (const auto& row : record.rows)
    fmt::print(out, "{:<12} {:>10} {:>16.3f} {:>16.1f}\n", row.work_item, row.items, in_microseconds(row.time),
               row.items_per_second());
}

void write_steps(const RunRecord& run, const StepsRecord& record, std::ostream& out) {
  fmt::print(out, "{:<8} {:<24} {:>16}\n", "# Rank", "Device", "Ends at (us)");
  for (std::size_t rank = 0; rank < record.finish.size(); ++rank)
    fmt::print(out, "{:<8} {:<24} {:>16.3f}\n", rank, run.ranks[rank], in_microseconds(record.finish[rank]));
}

// Above a number of ranks, those that end last.
void write_replay(const RunRecord& run, const ReplayRecord& record, std::ostream& out) {
  constexpr std::size_t most_shown = 64;
  constexpr std::size_t last_shown = 8;
  const auto& ends = record.finish;
  const bool is_told = run.summary && run.summary->chain.empty();
  fmt::print(out, "# time {:.3f} us, {} messages\n{:<8} {:<24} {:>16}{}\n", in_microseconds(run.duration), run.messages,
             "# Rank", "Device", "Ends at (us)", is_told ? "   compute  overhead   waiting  transfer" : "");
  std::vector<std::size_t> ranks(ends.size());
  std::iota(ranks.begin(), ranks.end(), 0);
  if (ranks.size() > most_shown) {
    std::ranges::stable_sort(ranks, std::greater{}, [&](std::size_t rank) { return ends[rank].value; });
    ranks.resize(last_shown);
    fmt::print(out, "# the {} of {} ranks that end last\n", last_shown, ends.size());
  }
  for (const auto rank : ranks)
    fmt::print(out, "{:<8} {:<24} {:>16.3f}{}\n", rank, run.ranks[rank], in_microseconds(ends[rank]),
               is_told ? shares_text(run.summary->ranks[rank]) : "");
}

} // namespace

void write_table(const RunRecord& record, std::ostream& out) {
  const auto* benchmark = std::get_if<BenchmarkRecord>(&record.outcome);
  const auto* work = std::get_if<BossWorkerRecord>(&record.outcome);
  const auto* replay = std::get_if<ReplayRecord>(&record.outcome);
  const auto what = benchmark ? std::string(name_of(benchmark_names, benchmark->benchmark.name))
                    : work    ? "boss-worker"
                    : replay  ? "replay of " + replay->file
                              : "steps";
  fmt::print(out, "# {}: {} on {}, fabric {}\n# ranks on {}\n", record.scenario, what, record.platform, record.fabric,
             ranks_text(record.ranks));
  if (record.tolerance) // SimGrid needs no mention
    fmt::print(out, "# engine {}\n", record.engine);
  if (benchmark)
    write_benchmark(record, *benchmark, out);
  else if (work)
    write_work(*work, out);
  else if (replay)
    write_replay(record, *replay, out);
  else
    write_steps(record, std::get<StepsRecord>(record.outcome), out);
  if (record.repeats)
    write_repeats(*record.repeats, benchmark ? std::span(benchmark->rows) : std::span<const SizeRow>(), out);
  if (record.summary)
    write_summary(*record.summary, record.ranks, out);
}

} // namespace kakehashi
