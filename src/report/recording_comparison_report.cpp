// Two recordings side by side → a report.
#include "base/text.hpp"
#include "report/findings.hpp"
#include "report/report_parts.hpp"
#include "result/comparison.hpp"
#include "writer/json_values.hpp"

#include <algorithm>
#include <fmt/ranges.h>

namespace kakehashi {
namespace {

constexpr std::size_t runs = 2;
constexpr std::array<const char*, runs> letters{"A", "B"};

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

constexpr std::size_t most_rows = 20; // the most rows of a listing, in text

Listing listing_of(std::string title, std::vector<std::string> numbers, std::string name) {
  Listing listing{std::move(title), {}, {}, true, most_rows};
  for (auto& each : numbers)
    listing.heads.push_back(right(std::move(each), 10));
  listing.heads.push_back(left(std::move(name), 0, 2));
  return listing;
}

Listing means_of(const RecordingComparison& all) {
  auto listing = listing_of("a rank on average", {"A (ms)", "B (ms)", "change"}, "what");
  const auto& [a, b] = all.runs;
  const auto add = [&](Seconds first, Seconds second, const char* what) {
    listing.rows.push_back({milliseconds(in_microseconds(first)), milliseconds(in_microseconds(second)),
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
    listing.rows.push_back({fmt::format("{:.3f}", a.instructions / 1e6), fmt::format("{:.3f}", b.instructions / 1e6),
                            share_text(a.instructions, b.instructions), "work, in million instructions"});
  return listing;
}

std::string name_of(const ComparedCalls& row) {
  const auto& line = row.runs[0];
  return mpi_name(line.call) + (line.communicator.empty() ? "" : ", " + line.communicator);
}

Listing calls_of(const RecordingComparison& all, const std::vector<ComparedCalls>& calls, bool has_regions) {
  auto listing = listing_of(has_regions ? "MPI calls by region" : "MPI calls",
                            {"A (ms)", "B (ms)", "change (ms)", "calls A", "calls B", "MB A", "MB B"},
                            has_regions ? "call, communicator, region" : "call, communicator");
  for (const auto& row : calls) {
    ListedRow cells;
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
    listing.rows.push_back(std::move(cells));
  }
  return listing;
}

Listing regions_of(const RecordingComparison& all) {
  auto listing = listing_of("regions of the program",
                            {"work A (ms)", "work B (ms)", "in MPI A (ms)", "in MPI B (ms)", "change (ms)"}, "region");
  for (const auto& [lines] : all.regions) {
    ListedRow cells;
    for (std::size_t run = 0; run < runs; ++run)
      cells.push_back(milliseconds(mean_of(all, run, in_microseconds(lines[run].working))));
    for (std::size_t run = 0; run < runs; ++run)
      cells.push_back(milliseconds(mean_of(all, run, in_microseconds(lines[run].in_mpi))));
    cells.push_back(fmt::format(
        "{:+.3f}", change_of(all, {lines[0].working + lines[0].in_mpi, lines[1].working + lines[1].in_mpi}) / 1000));
    cells.emplace_back(lines[0].region.empty() ? "(none)" : lines[0].region);
    listing.rows.push_back(std::move(cells));
  }
  return listing;
}

// Returns sentences about both recordings that a reader has to know.
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

ReportParts parts_of(const RecordingComparison& all) {
  ReportParts parts;
  for (std::size_t run = 0; run < runs; ++run)
    parts.push_back(Note{fmt::format("{}: {}", letters[run], name_of(all.runs[run]))});
  for (const auto& remark : remarks_of(all))
    parts.push_back(Note{remark});
  parts.push_back(means_of(all));
  parts.push_back(calls_of(all, all.calls, false));
  if (!all.regions.empty())
    parts.push_back(regions_of(all));
  if (!all.in_region.empty())
    parts.push_back(calls_of(all, all.in_region, true));
  return parts;
}

Seconds total_of(const std::vector<Seconds>& times) {
  Seconds sum;
  for (const auto time : times)
    sum += time;
  return sum;
}

Sheet sheet_of(const RecordingComparison& all) {
  Sheet sheet{{"what", "region", "call", "communicator", "calls_a", "calls_b", "bytes_a", "bytes_b", "mean_us_a",
               "mean_us_b", "change_us"},
              {}};
  const auto number = [](double value) { return fmt::format("{:.6f}", value); };
  const auto add_times = [&](const char* what, const std::string& region, Seconds a, Seconds b) {
    sheet.rows.push_back({what, region, "", "", "", "", "", "", number(mean_of(all, 0, in_microseconds(a))),
                          number(mean_of(all, 1, in_microseconds(b))), number(change_of(all, {a, b}))});
  };
  const auto add_calls = [&](const char* what, const std::vector<ComparedCalls>& rows) {
    for (const auto& row : rows) {
      const auto& [first, second] = row.runs;
      sheet.rows.push_back({what, row.region, mpi_name(first.call), first.communicator, first.calls, second.calls,
                            fmt::format("{:.0f}", first.bytes), fmt::format("{:.0f}", second.bytes),
                            number(mean_of(all, 0, in_microseconds(first.time))),
                            number(mean_of(all, 1, in_microseconds(second.time))),
                            number(change_of(all, {first.time, second.time}))});
    }
  };
  const auto& [a, b] = all.runs;
  if (has_times(all))
    add_times("work", "", total_of(a.profile.working), total_of(b.profile.working));
  add_times("mpi", "", total_of(a.profile.in_mpi), total_of(b.profile.in_mpi));
  add_calls("call", all.calls);
  for (const auto& [lines] : all.regions) {
    if (has_times(all))
      add_times("region_work", lines[0].region, lines[0].working, lines[1].working);
    add_times("region_mpi", lines[0].region, lines[0].in_mpi, lines[1].in_mpi);
  }
  add_calls("region_call", all.in_region);
  return sheet;
}

Json tree_of(const RecordingComparison& all, const ComparedCalls& row, bool has_region) {
  Json json{{"call", mpi_name(row.runs[0].call)}};
  if (has_region)
    json["region"] = row.region;
  add_if_any(json, "communicator", row.runs[0].communicator);
  for (std::size_t run = 0; run < runs; ++run) {
    const auto& line = row.runs[run];
    json["runs"].push_back({{"calls", line.calls},
                            {"bytes", rounded(line.bytes)},
                            {"time_us", rounded_us(line.time)},
                            {"mean_us", rounded(mean_of(all, run, in_microseconds(line.time)))}});
  }
  json["change_us"] = rounded(change_of(all, {row.runs[0].time, row.runs[1].time}));
  return json;
}

Json tree_of(const RecordedRun& run) {
  Json json{{"recording", run.name}, {"program", run.program}, {"library", run.library},
            {"ranks", run.ranks},    {"counts", run.counts},   {"mpi_us", rounded_us(mean_of(run.profile.in_mpi))}};
  if (run.has_times())
    json.update(
        {{"work_us", rounded_us(mean_of(run.profile.working))}, {"longest_us", rounded_us(longest_of(run.profile))}});
  else
    json["work_instructions"] = rounded(run.instructions);
  return json;
}

Json tree_of(const RecordingComparison& all) {
  const auto calls = [&](const std::vector<ComparedCalls>& rows, bool have_regions) {
    return json_list(rows, [&](const ComparedCalls& row) { return tree_of(all, row, have_regions); });
  };
  Json json{{"schema_version", 2},
            {"recordings", json_list(all.runs, [](const RecordedRun& run) { return tree_of(run); })},
            {"calls", calls(all.calls, false)}};
  for (const auto& [lines] : all.regions) {
    auto& region = json["regions"].emplace_back(Json{{"region", lines[0].region}});
    for (std::size_t run = 0; run < runs; ++run)
      region["runs"].push_back({{"work_us", rounded(mean_of(all, run, in_microseconds(lines[run].working)))},
                                {"mpi_us", rounded(mean_of(all, run, in_microseconds(lines[run].in_mpi)))}});
  }
  if (!all.in_region.empty())
    json["calls_by_region"] = calls(all.in_region, true);
  return json;
}

} // namespace

Report report_of(const RecordingComparison& all) {
  return {[&] { return parts_of(all); }, [&] { return sheet_of(all); }, [&] { return tree_of(all); }};
}

} // namespace kakehashi
