// A run → a report.
#include "report/findings.hpp"
#include "report/report_parts.hpp"
#include "writer/number_form.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/ranges.h>
#include <functional>
#include <nlohmann/json.hpp>
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

// Returns the rows that end last in a table of many ranks; the last column is the time of the end.
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

Listing repeats_of(const Repeats& repeats, const Table& table) {
  Listing listing{fmt::format("{} runs, simultaneous events in different orders:", repeats.runs),
                  {right(table.size_name, 10), right("median[usec]", 14), right("least[usec]", 14),
                   right("greatest[usec]", 14), right("spread", 9)},
                  {}};
  listing.is_remark = true;
  const auto text = [](Seconds time) { return fmt::format("{:.2f}", in_microseconds(time)); };
  for (std::size_t i = 0; i < repeats.spreads.size(); ++i) {
    const auto& [median, least, greatest] = repeats.spreads[i];
    listing.rows.push_back({table.size_name.empty() ? "last end" : std::to_string(table.figures[i].size), text(median),
                            text(least), text(greatest), fmt::format("{:.2f} %", percent(greatest - least, median))});
  }
  return listing;
}

void add_errors(const ReferenceUse& reference, std::span<const MeasuredValue> measured, ReportParts& parts) {
  const auto all = summarise(measured);
  if (!all)
    return parts.push_back(Note{reference.file + " has none of these sizes"});
  auto text = fmt::format("mean error {:.1f} %, worst {:.1f} % at {}, over {}", 100 * all->mean, 100 * all->worst,
                          to_text(all->worst_size), counted(all->points, "size"));
  if (reference.metric == Metric::bandwidth)
    if (const auto from_8 = summarise(measured, Bytes{8}))
      text += fmt::format("; from 8 B on mean {:.1f} %, worst {:.1f} % at {}", 100 * from_8->mean, 100 * from_8->worst,
                          to_text(from_8->worst_size));
  parts.push_back(Note{std::move(text)});
  parts.push_back(
      Note{fmt::format("against {} ({})", printable(reference.file), name_of(curve_use_names, reference.use))});
}

// The unit of a measured or likely value: that of the predicted one.
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

// Returns "4 KiB: its first 256 rounds take 1.74 times as long with noise of 1 % as in step; the time printed is …".
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

void add_heading(const RunRecord& run, ReportParts& parts) {
  parts = {Note{fmt::format("{}: {} on {}, fabric {}", run.scenario, run.table.title, run.platform, run.fabric)},
           Note{"ranks on " + ranks_text(run.ranks)}};
  if (run.tolerance) // SimGrid needs no mention
    parts.push_back(Note{"engine " + run.engine});
  for (const auto& note : run.table.text.notes)
    parts.push_back(Note{note});
  for (const auto& change : run.what_if)
    parts.push_back(Note{"what if: " + change});
  if (run.shows_range)
    parts.push_back(Note{fmt::format(
        "low and high: {:.0f} % of measured values are between them, as on machines that were kept apart; {}",
        100 * likely_share, assumed_text(run.assumed))});
  Listing listing;
  listing.keeps_widths = true;
  auto& heads = listing.heads;
  for (const auto& form : run.table.text.cells)
    heads.push_back({form.head, form.width, form.is_left, form.gap});
  if (has_shares(run))
    heads.insert(heads.end(), {right("compute", 9), right("overhead", 9), right("waiting", 9), right("transfer", 9)});
  if (run.reference)
    heads.insert(heads.end(), {right("measured", 12), right("error", 9)});
  if (run.shows_range && has_ranges(run))
    heads.insert(heads.end(), {right("low", 12), right("high", 12)});
  parts.push_back(std::move(listing));
}

ListedCell error_cell(double error) {
  const double share = std::abs(std::round(1000 * error) / 1000); // as printed
  return in_tone(signed_percent(error), share <= 0.10 ? Tone::good : share <= 0.25 ? Tone::fair : Tone::bad);
}

ListedRow cells_of(const RunRecord& run, std::size_t row) {
  ListedRow cells;
  for (const auto& form : run.table.text.cells) {
    auto cell = run.table.rows[row][form.column];
    if (auto* number = std::get_if<double>(&cell))
      *number /= form.unit;
    cells.push_back(text_of(cell, form.decimals));
  }
  if (has_shares(run)) {
    const auto& times = run.summary->ranks[row];
    for (const auto part : times.parts())
      cells.push_back(percent_text(part, times.total()));
  }
  const double unit = unit_of_measured(run);
  if (run.reference && run.measured[row].measured) {
    const auto& [size, measured, error] = run.measured[row];
    cells.insert(cells.end(), {fmt::format("{:.2f}", *measured / unit), error ? error_cell(*error) : "-"});
  } else if (run.reference && run.shows_range) {
    cells.insert(cells.end(), {"-", "-"});
  }
  if (run.shows_range && has_ranges(run)) {
    const auto [low, high] = range_of(run, row);
    cells.insert(cells.end(), {fmt::format("{:.2f}", low / unit), fmt::format("{:.2f}", high / unit)});
  }
  return cells;
}

} // namespace

void add_rows(const RunRecord& so_far, ReportParts& parts) {
  if (parts.empty())
    add_heading(so_far, parts);
  auto& listing = std::get<Listing>(parts.back());
  const auto rows = shown_rows(so_far.table);
  if (rows.size() < so_far.table.rows.size())
    listing.below = fmt::format("the {} of {} ranks that end last", rows.size(), so_far.table.rows.size());
  for (auto i = listing.rows.size(); i < rows.size(); ++i)
    listing.rows.push_back(cells_of(so_far, rows[i]));
}

void add_end(const RunRecord& record, ReportParts& parts) {
  add_rows(record, parts);
  for (const auto& remark : record.table.text.remarks)
    parts.push_back(Note{remark});
  if (record.shows_range && !has_ranges(record)) {
    const auto [low, high] = range_of(record, 0);
    parts.push_back(Note{fmt::format("the last rank ends between a low of {:.3f} and a high of {:.3f} us", low, high)});
  }
  for (const auto& row : record.out_of_step)
    parts.push_back(Note{out_of_step_text(row)});
  if (record.rounds_left_out > 0)
    parts.push_back(Note{fmt::format("{} settled rounds left out", record.rounds_left_out)});
  for (const auto& [place, source] : record.sources)
    if (!place.starts_with('/')) // it is in no file
      parts.push_back(Note{fmt::format("{}: {} ({})", place, source.from, name_of(source_kind_names, source.kind))});
  if (record.reference)
    add_errors(*record.reference, record.measured, parts);
  if (record.repeats)
    parts.push_back(repeats_of(*record.repeats, record.table));
  if (record.summary && record.table.calls)
    add_calls(*record.table.calls, record.summary->is_brief, parts);
  if (record.summary)
    add_summary(*record.summary, record.ranks, parts);
}

Report report_of(const RunRecord& record) {
  const auto parts = [&] {
    ReportParts all;
    add_end(record, all);
    return all;
  };
  return {parts, [&] { return sheet_of(record); }, [&] { return tree_of(record); }};
}

} // namespace kakehashi
