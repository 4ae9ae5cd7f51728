#include "report/recording_comparison_report.hpp"

#include "base/text.hpp"
#include "report/call_report.hpp"
#include "report/csv_form.hpp"
#include "report/number_form.hpp"

#include <algorithm>
#include <fmt/ostream.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace kakehashi {
namespace {

constexpr std::size_t runs = 2;
constexpr std::array<const char*, runs> letters{"A", "B"};

// A table as texts. The last column is a name.
struct TextSheet {
  std::string title;
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;
};

bool has_times(const RecordingComparison& all) {
  return all.runs[0].has_times() && all.runs[1].has_times();
}

double mean_of(const RecordingComparison& all, std::size_t run, double sum) {
  return sum / static_cast<double>(all.runs[run].ranks);
}
double change_of(const RecordingComparison& all, const std::array<Seconds, runs>& sums) {
  return mean_of(all, 1, in_microseconds(sums[1])) - mean_of(all, 0, in_microseconds(sums[0]));
}
std::string milliseconds(double us) {
  return fmt::format("{:.3f}", us / 1000);
}

std::string share_text(double a, double b) {
  return a > 0 ? signed_percent(b / a - 1) : "-";
}

TextSheet means_of(const RecordingComparison& all) {
  TextSheet sheet{"a rank on average", {"A (ms)", "B (ms)", "change", "what"}, {}};
  const auto& [a, b] = all.runs;
  const auto add = [&](Seconds first, Seconds second, const char* what) {
    sheet.rows.push_back({milliseconds(in_microseconds(first)), milliseconds(in_microseconds(second)),
                          share_text(first.value, second.value), what});
  };
  const auto in_mpi = std::array{mean_of(a.profile.in_mpi), mean_of(b.profile.in_mpi)};
  if (has_times(all)) {
    const auto work = std::array{mean_of(a.profile.working), mean_of(b.profile.working)};
    add(work[0] + in_mpi[0], work[1] + in_mpi[1], "in all");
    add(work[0], work[1], "work, and what is neither work nor MPI, such as files");
  }
  add(in_mpi[0], in_mpi[1], "in MPI");
  if (has_times(all))
    add(longest_of(a.profile), longest_of(b.profile), "in all, of the rank that has most");
  if (!a.has_times() && !b.has_times())
    sheet.rows.push_back({fmt::format("{:.3f}", a.instructions / 1e6), fmt::format("{:.3f}", b.instructions / 1e6),
                          share_text(a.instructions, b.instructions), "work, in million instructions"});
  return sheet;
}

std::string name_of(const ComparedCalls& row) {
  const auto& line = row.runs[0];
  return mpi_name(line.call) + (line.communicator.empty() ? "" : ", " + line.communicator);
}

TextSheet calls_of(const RecordingComparison& all, const std::vector<ComparedCalls>& calls, bool has_regions) {
  TextSheet sheet{has_regions ? "MPI calls by region" : "MPI calls",
              {"A (ms)", "B (ms)", "change (ms)", "calls A", "calls B", "MB A", "MB B",
               has_regions ? "call, communicator, region" : "call, communicator"},
              {}};
  for (const auto& row : calls) {
    std::vector<std::string> cells;
    for (std::size_t run = 0; run < runs; ++run)
      cells.push_back(milliseconds(mean_of(all, run, in_microseconds(row.runs[run].time))));
    cells.push_back(fmt::format("{:+.3f}", change_of(all, {row.runs[0].time, row.runs[1].time}) / 1000));
    for (std::size_t run = 0; run < runs; ++run)
      cells.push_back(all.has_same_ranks()
                          ? std::to_string(row.runs[run].calls)
                          : fmt::format("{:.1f}", mean_of(all, run, static_cast<double>(row.runs[run].calls))));
    for (std::size_t run = 0; run < runs; ++run)
      cells.push_back(fmt::format(
          "{:.3f}", (all.has_same_ranks() ? row.runs[run].bytes : mean_of(all, run, row.runs[run].bytes)) / 1e6));
    const auto region = row.region.empty() ? "(none)" : row.region;
    cells.push_back(name_of(row) + (has_regions ? ", " + region : ""));
    sheet.rows.push_back(std::move(cells));
  }
  return sheet;
}

TextSheet regions_of(const RecordingComparison& all) {
  TextSheet sheet{"regions of the program",
              {"work A (ms)", "work B (ms)", "in MPI A (ms)", "in MPI B (ms)", "change (ms)", "region"},
              {}};
  for (const auto& [lines] : all.regions) {
    std::vector<std::string> cells;
    for (std::size_t run = 0; run < runs; ++run)
      cells.push_back(milliseconds(mean_of(all, run, in_microseconds(lines[run].working))));
    for (std::size_t run = 0; run < runs; ++run)
      cells.push_back(milliseconds(mean_of(all, run, in_microseconds(lines[run].in_mpi))));
    cells.push_back(fmt::format(
        "{:+.3f}", change_of(all, {lines[0].working + lines[0].in_mpi, lines[1].working + lines[1].in_mpi}) / 1000));
    cells.emplace_back(lines[0].region.empty() ? "(none)" : lines[0].region);
    sheet.rows.push_back(std::move(cells));
  }
  return sheet;
}

std::vector<TextSheet> sheets_of(const RecordingComparison& all) {
  std::vector<TextSheet> sheets{means_of(all), calls_of(all, all.calls, false)};
  if (!all.regions.empty())
    sheets.push_back(regions_of(all));
  if (!all.in_region.empty())
    sheets.push_back(calls_of(all, all.in_region, true));
  return sheets;
}

// What a reader has to know of both: sentences.
std::vector<std::string> remarks_of(const RecordingComparison& all) {
  std::vector<std::string> remarks;
  const auto& [a, b] = all.runs;
  if (a.program != b.program)
    remarks.push_back(fmt::format("the programs have different names: {} and {}", a.program, b.program));
  if (!all.has_same_ranks())
    remarks.push_back(
        fmt::format("A has {} ranks and B {}, so calls and MB are those of a rank on average, too", a.ranks, b.ranks));
  if (a.counts != b.counts)
    remarks.push_back(
        fmt::format("work of A is counted in {}, and of B in {}, which cannot be compared", a.counts, b.counts));
  std::vector<std::string> others;
  for (const auto& row : all.calls)
    if (differ(row))
      others.push_back(name_of(row));
  if (all.has_same_ranks())
    remarks.push_back(others.empty() ? "both make the same calls with as many bytes"
                                     : fmt::format("calls or their bytes differ in number: {} of {} kinds: {}",
                                                   others.size(), all.calls.size(), fmt::join(others, "; ")));
  return remarks;
}

std::string name_of(const RecordedRun& run) {
  return fmt::format("{}: {}, {}, {}", run.name, run.program, counted(run.ranks, "rank"), run.library);
}

constexpr std::size_t most_rows = 20; // of a sheet

void write_sheet(const TextSheet& sheet, std::ostream& out) {
  std::vector<std::size_t> widths;
  for (std::size_t column = 0; column + 1 < sheet.head.size(); ++column) {
    std::size_t width = std::max<std::size_t>(10, sheet.head[column].size() + (column == 0 ? 2 : 0));
    for (const auto& row : sheet.rows)
      width = std::max(width, row[column].size());
    widths.push_back(width);
  }
  const auto write = [&](const std::vector<std::string>& cells, bool is_head) {
    for (std::size_t column = 0; column < widths.size(); ++column)
      fmt::print(out, "{}{:>{}}", column == 0 ? "" : " ", is_head && column == 0 ? "# " + cells[column] : cells[column],
                 widths[column]);
    fmt::print(out, "  {}\n", cells.back());
  };
  fmt::print(out, "# {}\n", sheet.title);
  write(sheet.head, true);
  for (std::size_t i = 0; i < std::min(most_rows, sheet.rows.size()); ++i)
    write(sheet.rows[i], false);
  if (sheet.rows.size() > most_rows)
    fmt::print(out, "# and {} more\n", sheet.rows.size() - most_rows);
}

} // namespace

void write_table(const RecordingComparison& all, std::ostream& out) {
  for (std::size_t run = 0; run < runs; ++run)
    fmt::print(out, "# {}: {}\n", letters[run], name_of(all.runs[run]));
  for (const auto& remark : remarks_of(all))
    fmt::print(out, "# {}\n", remark);
  for (const auto& sheet : sheets_of(all))
    write_sheet(sheet, out);
}

namespace {

// In a cell a bar would end it.
std::string in_cell(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2)
    text.insert(at, "\\");
  return text;
}

void write_line(const std::vector<std::string>& cells, std::ostream& out) {
  for (const auto& cell : cells)
    fmt::print(out, "| {} ", in_cell(cell));
  out << "|\n";
}

} // namespace

void write_markdown(const RecordingComparison& all, std::ostream& out) {
  for (std::size_t run = 0; run < runs; ++run)
    fmt::print(out, "- {}: {}\n", letters[run], name_of(all.runs[run]));
  for (const auto& remark : remarks_of(all))
    fmt::print(out, "- {}\n", remark);
  for (const auto& sheet : sheets_of(all)) {
    fmt::print(out, "\n### {}\n\n", sheet.title);
    write_line(sheet.head, out);
    for (std::size_t column = 0; column < sheet.head.size(); ++column)
      out << (column + 1 < sheet.head.size() ? "|---:" : "|---");
    out << "|\n";
    for (const auto& row : sheet.rows)
      write_line(row, out);
  }
}

void write_csv(const RecordingComparison& all, std::ostream& out) {
  write_csv_line({"what", "region", "call", "communicator", "calls_a", "calls_b", "bytes_a", "bytes_b", "mean_us_a",
                  "mean_us_b", "change_us"},
                 out);
  const auto number = [](double value) { return fmt::format("{:.6f}", value); };
  const auto write_times = [&](const std::string& what, const std::string& region, Seconds a, Seconds b) {
    write_csv_line({what, region, "", "", "", "", "", "", number(mean_of(all, 0, in_microseconds(a))),
                    number(mean_of(all, 1, in_microseconds(b))), number(change_of(all, {a, b}))},
                   out);
  };
  const auto sum_of = [](const std::vector<Seconds>& times) {
    Seconds sum;
    for (const auto time : times)
      sum += time;
    return sum;
  };
  const auto& [a, b] = all.runs;
  if (has_times(all))
    write_times("work", "", sum_of(a.profile.working), sum_of(b.profile.working));
  write_times("mpi", "", sum_of(a.profile.in_mpi), sum_of(b.profile.in_mpi));
  const auto write_calls = [&](const char* what, const std::vector<ComparedCalls>& rows) {
    for (const auto& row : rows) {
      const auto& [first, second] = row.runs;
      write_csv_line({what, row.region, mpi_name(first.call), first.communicator, std::to_string(first.calls),
                      std::to_string(second.calls), fmt::format("{:.0f}", first.bytes),
                      fmt::format("{:.0f}", second.bytes), number(mean_of(all, 0, in_microseconds(first.time))),
                      number(mean_of(all, 1, in_microseconds(second.time))),
                      number(change_of(all, {first.time, second.time}))},
                     out);
    }
  };
  write_calls("call", all.calls);
  for (const auto& [lines] : all.regions) {
    if (has_times(all))
      write_times("region_work", lines[0].region, lines[0].working, lines[1].working);
    write_times("region_mpi", lines[0].region, lines[0].in_mpi, lines[1].in_mpi);
  }
  write_calls("region_call", all.in_region);
}

void write_json(const RecordingComparison& all, std::ostream& out) {
  using Json = nlohmann::ordered_json;
  const auto list_of = [&](const std::vector<ComparedCalls>& rows, bool has_regions) {
    Json list = Json::array();
    for (const auto& row : rows) {
      Json json{{"call", mpi_name(row.runs[0].call)}};
      if (has_regions)
        json["region"] = row.region;
      if (!row.runs[0].communicator.empty())
        json["communicator"] = row.runs[0].communicator;
      json["runs"] = Json::array();
      for (std::size_t run = 0; run < runs; ++run) {
        const auto& line = row.runs[run];
        json["runs"].push_back({{"calls", line.calls},
                                {"bytes", rounded(line.bytes)},
                                {"time_us", rounded(in_microseconds(line.time))},
                                {"mean_us", rounded(mean_of(all, run, in_microseconds(line.time)))}});
      }
      json["change_us"] = rounded(change_of(all, {row.runs[0].time, row.runs[1].time}));
      list.push_back(std::move(json));
    }
    return list;
  };
  Json recordings = Json::array();
  for (const auto& run : all.runs) {
    Json json{{"recording", run.name},  {"program", run.program},
              {"library", run.library}, {"ranks", run.ranks},
              {"counts", run.counts},   {"mpi_us", rounded(in_microseconds(mean_of(run.profile.in_mpi)))}};
    if (run.has_times())
      json.update({{"work_us", rounded(in_microseconds(mean_of(run.profile.working)))},
                   {"longest_us", rounded(in_microseconds(longest_of(run.profile)))}});
    else
      json["work_instructions"] = rounded(run.instructions);
    recordings.push_back(std::move(json));
  }
  Json regions = Json::array();
  for (const auto& [lines] : all.regions) {
    Json json{{"region", lines[0].region}, {"runs", Json::array()}};
    for (std::size_t run = 0; run < runs; ++run)
      json["runs"].push_back({{"work_us", rounded(mean_of(all, run, in_microseconds(lines[run].working)))},
                              {"mpi_us", rounded(mean_of(all, run, in_microseconds(lines[run].in_mpi)))}});
    regions.push_back(std::move(json));
  }
  Json json{{"schema_version", 2}, {"recordings", recordings}, {"calls", list_of(all.calls, false)}};
  if (!all.regions.empty())
    json["regions"] = regions;
  if (!all.in_region.empty())
    json["calls_by_region"] = list_of(all.in_region, true);
  out << json.dump(2) << '\n';
}

} // namespace kakehashi
