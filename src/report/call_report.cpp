#include "report/report_parts.hpp"

#include "report/column.hpp"
#include "writer/json_values.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace kakehashi {
namespace {

Seconds sum_of(const std::vector<Seconds>& times) {
  Seconds sum;
  for (const auto time : times)
    sum += time;
  return sum;
}

std::string name_of(const CallLine& line) {
  return line.communicator.empty() ? line.call : fmt::format("{}, {}", line.call, line.communicator);
}

// Returns by what share the slowest rank's time in these calls exceeds the mean of the ranks that make such calls.
double imbalance_of(const CallLine& line) {
  return line.time.value > 0 ? line.most.value * static_cast<double>(line.ranks) / line.time.value - 1 : 0;
}

// Returns the time of which shares are shown: that of calls and work, or of calls if they go on beside work.
Seconds whole_of(const CallProfile& profile) {
  auto whole = sum_of(profile.in_mpi) + sum_of(profile.working);
  if (profile.in_mpi.empty())
    for (const auto& line : profile.lines)
      whole += line.time;
  return whole;
}

std::string in_communicator(const CallLine& line) {
  return line.communicator.empty() ? "" : " in " + line.communicator;
}

std::string brief_text_beside_work(const CallProfile& profile) {
  constexpr std::size_t most = 3;
  std::string text = "calls go on beside work, for";
  for (std::size_t i = 0; i < std::min(most, profile.lines.size()); ++i)
    text += fmt::format("{} {:.3f} us {}{}", i == 0 ? "" : ",", in_microseconds(profile.lines[i].time),
                        profile.lines[i].call, in_communicator(profile.lines[i]));
  return text + fmt::format(" (the time of all ranks; {} in all)", counted(profile.lines.size(), "kind"));
}

std::string brief_text(const CallProfile& profile) {
  if (profile.in_mpi.empty())
    return brief_text_beside_work(profile);
  constexpr std::size_t most = 3;
  const auto whole = whole_of(profile);
  auto text = fmt::format("in MPI calls {:.1f} % of the ranks' time", percent(sum_of(profile.in_mpi), whole));
  for (std::size_t i = 0; i < std::min(most, profile.lines.size()); ++i)
    text +=
        fmt::format("{} {:.1f} % {}", i == 0 ? ":" : ",", percent(profile.lines[i].time, whole), profile.lines[i].call);
  if (profile.recorded.value > 0)
    text += fmt::format(" (recorded {:.3f} us, here {:.3f})", in_microseconds(profile.recorded),
                        in_microseconds(sum_of(profile.in_mpi)));
  return text +
         fmt::format("; the busiest rank works {:.1f} % longer than the mean", 100 * imbalance_of(profile.working));
}

std::string shown(const std::string& region) {
  return region.empty() ? "(none)" : region;
}

constexpr std::size_t most_calls = 20; // in text

// Adds where the time went, if that was recorded.
template <class Line> void add_places(const CallProfile& profile, ColumnsOf<Line>& columns) {
  if (profile.work)
    columns.insert(
        columns.end(),
        {{"waiting_us", right("waiting (us)", 14), {3}, [](const Line& line) { return line.places.ranks.waiting; }},
         {"transfer_us", {}, {}, [](const Line& line) { return line.places.ranks.transfer; }},
         {"path_us", right("on path (us)", 14), {3}, [](const Line& line) { return line.places.on_path; }}});
}

ColumnsOf<CallLine> call_columns(const CallProfile& profile, Seconds whole) {
  using Line = const CallLine&;
  ColumnsOf<CallLine> columns{
      {"", right("share", 9), {}, [=](Line line) { return percent_text(line.time, whole); }},
      {"call", {}, {}, &CallLine::call},
      {"communicator", {}, {}, [](Line line) { return some(line.communicator); }},
      {"calls", right("calls", 10), {}, &CallLine::calls},
      {"ranks", {}, {}, &CallLine::ranks},
      {"bytes", right("MB", 12), {3, Unit::megabytes}, &CallLine::bytes},
      {"time_us", right("time (us)", 14), {3}, &CallLine::time},
      {"slowest_us", right("slowest (us)", 14), {3}, &CallLine::most},
      {"slowest_rank", {}, {}, &CallLine::slowest},
      {"",
       right("mean (us)", 14),
       {3},
       [](Line line) { return in_microseconds(line.time) / static_cast<double>(line.calls); }},
      {"", right("imbalance", 10), {1, Unit::share}, [](Line line) { return imbalance_of(line); }},
      {"", left("call, communicator", 0, 2), {}, [](Line line) {
         return fmt::format("{}, slowest rank {}", name_of(line), line.slowest);
       }}};
  if (profile.recorded.value > 0)
    columns.push_back({"recorded_us", right("recorded (us)", 14), {3}, &CallLine::recorded});
  add_places(profile, columns);
  return columns;
}

Listing calls_of(const CallProfile& profile, Seconds whole) {
  auto listing = listing_of(
      profile.in_mpi.empty() ? "calls, which go on beside work: the time of all ranks in them"
                             : fmt::format("MPI calls: the time of all ranks in them, {:.1f} % of theirs",
                                           percent(sum_of(profile.in_mpi), whole)),
      picked(call_columns(profile, whole), {"share", "time_us", "recorded_us", "waiting_us", "path_us", "calls",
                                            "mean (us)", "bytes", "slowest_us", "imbalance", "call, communicator"}),
      profile.lines);
  listing.most = most_calls;
  return listing;
}

ColumnsOf<RegionLine> region_columns(const CallProfile& profile, Seconds whole) {
  ColumnsOf<RegionLine> columns{
      {"", right("share", 9), {}, [=](const auto& line) { return percent_text(line.working + line.in_mpi, whole); }},
      {"region",
       left("region", 0, 2),
       {},
       [](const auto& line) { return Datum(line.region).shown_as(shown(line.region)); }},
      {"work_us", right("work (us)", 14), {3}, &RegionLine::working},
      {"mpi_us", right("in MPI (us)", 14), {3}, &RegionLine::in_mpi}};
  add_places(profile, columns);
  return columns;
}

Listing sites_of(const CallProfile& profile, Seconds whole) {
  const bool has_regions = !profile.regions.empty();
  const auto columns =
      picked(call_columns(profile, whole), {"share", "time_us", "waiting_us", "path_us", "calls", "slowest_us"});
  auto listing = heads_of("where the program calls MPI", columns);
  listing.most = most_calls;
  listing.heads.push_back(left(has_regions ? "call, site, region" : "call, site", 0, 2));
  for (const auto& [region, site, calls] : profile.sites) {
    auto& cells = listing.rows.emplace_back(cells_of(columns, calls));
    cells.push_back(fmt::format("{}, {}{}", mpi_name(calls.call), site, has_regions ? ", " + shown(region) : ""));
  }
  return listing;
}

} // namespace

void add_calls(const CallProfile& profile, bool is_brief, ReportParts& parts) {
  if (profile.lines.empty())
    return;
  if (is_brief)
    return parts.push_back(Note{brief_text(profile)});
  const auto whole = whole_of(profile);
  parts.push_back(calls_of(profile, whole));
  if (profile.in_mpi.empty())
    return;
  if (profile.work) {
    auto path = profile.work->on_path;
    for (const auto& line : profile.lines)
      path += line.places.on_path;
    parts.push_back(Note{fmt::format("of the critical path {:.1f} % is work, and the rest is in these calls (on path)",
                                     percent(profile.work->on_path, path))});
  }
  if (!profile.regions.empty())
    parts.push_back(listing_of(
        "regions of the program: the time of all ranks in them",
        picked(region_columns(profile, whole), {"share", "work_us", "mpi_us", "waiting_us", "path_us", "region"}),
        profile.regions));
  if (!profile.sites.empty())
    parts.push_back(sites_of(profile, whole));
  parts.push_back(Note{fmt::format(
      "the busiest rank works {:.1f} % longer than the mean; the one longest in MPI is there {:.1f} % longer",
      100 * imbalance_of(profile.working), 100 * imbalance_of(profile.in_mpi))});
}

Json to_json(const CallProfile& profile) {
  const auto columns = call_columns(profile, {});
  const auto sites = json_list(profile.sites, [&](const SiteLine& each) {
    Json json{{"site", each.site}};
    add_if_any(json, "region", each.region);
    json.update(tree_of(columns, each.calls));
    return json;
  });
  Json json{{"lines", list_of(columns, profile.lines)},
            {"mpi_us", json_list(profile.in_mpi, rounded_us)},
            {"work_us", json_list(profile.working, rounded_us)},
            {"mpi_imbalance", rounded(imbalance_of(profile.in_mpi))},
            {"work_imbalance", rounded(imbalance_of(profile.working))}};
  if (profile.work)
    json["work_path_us"] = rounded_us(profile.work->on_path);
  add_if_any(json, "sites", sites);
  add_if_any(json, "regions", list_of(region_columns(profile, {}), profile.regions));
  return json;
}

} // namespace kakehashi
