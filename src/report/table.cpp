#include "report/call_report.hpp"
#include "report/findings.hpp"
#include "report/number_form.hpp"
#include "report/run_report.hpp"
#include "report/summary_report.hpp"

#include <algorithm>
#include <fmt/ostream.h>
#include <fmt/ranges.h>
#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>

namespace kakehashi {
namespace {

std::string ranks_text(const std::vector<std::string>& ranks) {
  constexpr std::size_t most = 8;
  const std::vector<std::string> first(ranks.begin(),
                                       ranks.begin() + static_cast<std::ptrdiff_t>(std::min(most, ranks.size())));
  return fmt::format("{}{}", fmt::join(first, ", "),
                     ranks.size() > most ? fmt::format(" and {} more", ranks.size() - most) : "");
}

std::string line_of(const Table& table, std::size_t row) {
  std::string line;
  for (const auto& form : table.text.cells) {
    auto cell = table.rows[row][form.column];
    if (auto* number = std::get_if<double>(&cell))
      *number /= form.unit;
    const auto text = text_of(cell, form.decimals);
    line += form.before +
            (form.is_left ? fmt::format("{:<{}}", text, form.width) : fmt::format("{:>{}}", text, form.width));
  }
  return line;
}

// Of a table of many ranks, those that end last: by the last column, which is when.
std::vector<std::size_t> shown_rows(const Table& table) {
  constexpr std::size_t most_shown = 64;
  constexpr std::size_t last_shown = 8;
  std::vector<std::size_t> rows(table.rows.size());
  std::iota(rows.begin(), rows.end(), 0);
  if (!table.shows_last_ranks || rows.size() <= most_shown)
    return rows;
  std::ranges::stable_sort(rows, std::greater{},
                           [&](std::size_t row) { return std::get<double>(table.rows[row].back()); });
  rows.resize(last_shown);
  return rows;
}

void write_repeats(const Repeats& repeats, const Table& table, std::ostream& out) {
  const bool has_sizes = !table.size_name.empty();
  fmt::print(out, "# {} runs, simultaneous events in different orders:\n# {:>10} {:>14} {:>14} {:>14} {:>9}\n",
             repeats.runs, table.size_name, "median[usec]", "least[usec]", "greatest[usec]", "spread");
  for (std::size_t i = 0; i < repeats.spreads.size(); ++i) {
    const auto& [median, least, greatest] = repeats.spreads[i];
    fmt::print(out, "# {:>10} {:>14.2f} {:>14.2f} {:>14.2f} {:>7.2f} %\n",
               has_sizes ? std::to_string(table.figures[i].size) : "last end", in_microseconds(median),
               in_microseconds(least), in_microseconds(greatest),
               median.value > 0 ? 100 * ((greatest - least) / median) : 0);
  }
}

void write_errors(const ReferenceUse& reference, std::span<const MeasuredValue> measured, std::ostream& out) {
  const auto all = summarise(measured);
  if (!all)
    return fmt::print(out, "# {} has none of these sizes\n", reference.file);
  fmt::print(out, "# mean error {:.1f} %, worst {:.1f} % at {}, over {} sizes", 100 * all->mean, 100 * all->worst,
             to_text(all->worst_size), all->points);
  if (reference.metric == Metric::bandwidth)
    if (const auto from_8 = summarise(measured, Bytes{8}))
      fmt::print(out, "; from 8 B on mean {:.1f} %, worst {:.1f} % at {}", 100 * from_8->mean, 100 * from_8->worst,
                 to_text(from_8->worst_size));
  fmt::print(out, "\n# against {} ({})\n", printable(reference.file), name_of(curve_use_names, reference.use));
}

// The form of a measured value, or a likely one: that of the predicted one.
double unit_of_measured(const RunRecord& run) {
  const std::string_view unit = metric_of(run) == Metric::time ? "us" : "MB/s";
  const auto& table = run.table;
  const auto shown = std::ranges::find_if(
      table.text.cells, [&](const TextCell& cell) { return table.columns[cell.column].unit == unit; });
  return shown == table.text.cells.end() ? 1 : shown->unit;
}

bool has_shares(const RunRecord& run) {
  return run.table.shows_last_ranks && run.summary && run.summary->is_brief;
}

bool has_ranges(const RunRecord& run) {
  return run.table.list.empty() && run.likely.size() == run.table.rows.size();
}

// "4 KiB: its first 256 rounds take 1.74 times as long with noise of 1 % as in step; the time printed is …"
std::string out_of_step_text(const OutOfStep& row) {
  const auto found = fmt::format("{}: its first {} rounds take {:.2f} times as long with noise of {:.3g} % as in step",
                                 to_text(row.size), checked_rounds, row.times_as_long, 100 * row.noise);
  if (!row.with_noise)
    return found + "; the time printed is that in step (--noise 1: that with noise, which takes long)";
  if (row.iterations == 0)
    return found + "; so this run has noise (--noise 0: none)";
  return fmt::format("{}; the time printed is that with noise, of {} (--noise 0: in step)", found,
                     counted(static_cast<std::size_t>(row.iterations), "iteration"));
}

std::string assumed_text(AssumedRules assumed) {
  return assumed == AssumedRules::none  ? "no rule's costs are assumed"
         : assumed == AssumedRules::all ? "all costs of software are assumed"
                                        : "some rules' costs are assumed";
}

void write_heading(const RunRecord& run, bool shows_range, std::ostream& out) {
  fmt::print(out, "# {}: {} on {}, fabric {}\n# ranks on {}\n", run.scenario, run.table.title, run.platform, run.fabric,
             ranks_text(run.ranks));
  if (run.tolerance) // SimGrid needs no mention
    fmt::print(out, "# engine {}\n", run.engine);
  for (const auto& note : run.table.text.notes)
    fmt::print(out, "# {}\n", note);
  for (const auto& change : run.what_if)
    fmt::print(out, "# what if: {}\n", change);
  if (shows_range)
    fmt::print(
        out, "# low and high: {:.0f} % of measured values are between them, as on machines that were kept apart; {}\n",
        100 * likely_share, assumed_text(run.assumed));
  out << run.table.text.heading;
  if (has_shares(run))
    out << "   compute  overhead   waiting  transfer";
  if (run.reference)
    fmt::print(out, " {:>12} {:>9}", "measured", "error");
  if (shows_range && has_ranges(run))
    fmt::print(out, " {:>12} {:>12}", "low", "high");
  out << '\n';
}

void write_row(const RunRecord& run, std::size_t row, bool shows_range, std::ostream& out) {
  out << line_of(run.table, row);
  if (has_shares(run))
    out << shares_text(run.summary->ranks[row]);
  if (run.reference && run.measured[row].measured) {
    const auto& [size, measured, error] = run.measured[row];
    fmt::print(out, " {:>12.2f} {:>9}", *measured / unit_of_measured(run), error ? signed_percent(*error) : "-");
  } else if (run.reference && shows_range) {
    fmt::print(out, " {:>12} {:>9}", "-", "-");
  }
  if (shows_range && has_ranges(run)) {
    const auto [low, high] = range_of(run, row);
    const double unit = unit_of_measured(run);
    fmt::print(out, " {:>12.2f} {:>12.2f}", low / unit, high / unit);
  }
  out << '\n';
}

} // namespace

void TableStream::write(const RunRecord& so_far) {
  if (!has_heading_)
    write_heading(so_far, shows_range_, out_);
  has_heading_ = true;
  const auto rows = shown_rows(so_far.table);
  if (rows.size() < so_far.table.rows.size())
    fmt::print(out_, "# the {} of {} ranks that end last\n", rows.size(), so_far.table.rows.size());
  for (; written_ < rows.size(); ++written_)
    write_row(so_far, rows[written_], shows_range_, out_);
}

void TableStream::end(const RunRecord& record) {
  write(record);
  for (const auto& remark : record.table.text.remarks)
    fmt::print(out_, "# {}\n", remark);
  if (shows_range_ && !has_ranges(record)) {
    const auto [low, high] = range_of(record, 0);
    fmt::print(out_, "# the last rank ends between a low of {:.3f} and a high of {:.3f} us\n", low, high);
  }
  for (const auto& row : record.out_of_step)
    fmt::print(out_, "# {}\n", out_of_step_text(row));
  if (record.rounds_left_out > 0)
    fmt::print(out_, "# {} settled rounds left out\n", record.rounds_left_out);
  for (const auto& [place, source] : record.sources)
    if (!place.starts_with('/')) // nothing in a file
      fmt::print(out_, "# {}: {} ({})\n", place, source.from, name_of(source_kind_names, source.kind));
  if (record.reference)
    write_errors(*record.reference, record.measured, out_);
  if (record.repeats)
    write_repeats(*record.repeats, record.table, out_);
  if (record.summary && record.table.calls)
    write_calls(*record.table.calls, record.summary->is_brief, out_);
  if (record.summary)
    write_summary(*record.summary, record.ranks, out_);
}

Report report_of(const RunRecord& record) {
  const auto parts = [&] {
    std::ostringstream text;
    TableStream(text, record.shows_range).end(record);
    return ReportParts{Preformatted{text.str()}};
  };
  return {parts, [&] { return sheet_of(record); }, [&] { return tree_of(record); }};
}

} // namespace kakehashi
