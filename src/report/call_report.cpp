#include "report/run_report.hpp"

#include "report/tree.hpp"

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

std::string_view shown(const std::string& region) {
  return region.empty() ? "(none)" : std::string_view(region);
}

constexpr std::size_t most_calls = 20; // in text

// Its first columns are a share, a time under this head, and recorded times if the profile has some.
Listing listing_of(const CallProfile& profile, std::string title, std::vector<Head> times) {
  Listing listing{std::move(title), {right("share", 9)}, {}, true, most_calls};
  listing.heads.insert(listing.heads.end(), times.begin(), times.end());
  if (profile.work)
    listing.heads.insert(listing.heads.end(), {right("waiting (us)", 14), right("on path (us)", 14)});
  return listing;
}

// Adds where the time went, if that was recorded.
void add_place(const CallProfile& profile, const PlaceTimes& times, ListedRow& cells) {
  if (profile.work)
    cells.insert(cells.end(), {us_text(times.ranks.waiting), us_text(times.on_path)});
}

Listing calls_of(const CallProfile& profile, Seconds whole) {
  const bool has_recorded = profile.recorded.value > 0;
  std::vector<Head> times{right("time (us)", 14)};
  if (has_recorded)
    times.push_back(right("recorded (us)", 14));
  auto listing =
      listing_of(profile,
                 profile.in_mpi.empty() ? "calls, which go on beside work: the time of all ranks in them"
                                        : fmt::format("MPI calls: the time of all ranks in them, {:.1f} % of theirs",
                                                      percent(sum_of(profile.in_mpi), whole)),
                 std::move(times));
  listing.heads.insert(listing.heads.end(),
                       {right("calls", 10), right("mean (us)", 14), right("MB", 12), right("slowest (us)", 14),
                        right("imbalance", 10), left("call, communicator", 0, 2)});
  for (const auto& line : profile.lines) {
    auto& cells = listing.rows.emplace_back(ListedRow{percent_text(line.time, whole), us_text(line.time)});
    if (has_recorded)
      cells.push_back(us_text(line.recorded));
    add_place(profile, line.places, cells);
    cells.insert(cells.end(),
                 {line.calls, fmt::format("{:.3f}", in_microseconds(line.time) / static_cast<double>(line.calls)),
                  fmt::format("{:.3f}", line.bytes / 1e6), us_text(line.most), percent_text(imbalance_of(line)),
                  fmt::format("{}, slowest rank {}", name_of(line), line.slowest)});
  }
  return listing;
}

Listing regions_of(const CallProfile& profile, Seconds whole) {
  auto listing = listing_of(profile, "regions of the program: the time of all ranks in them",
                            {right("work (us)", 14), right("in MPI (us)", 14)});
  listing.most = std::string::npos;
  listing.heads.push_back(left("region", 0, 2));
  for (const auto& line : profile.regions) {
    auto& cells = listing.rows.emplace_back(
        ListedRow{percent_text(line.working + line.in_mpi, whole), us_text(line.working), us_text(line.in_mpi)});
    add_place(profile, line.places, cells);
    cells.push_back(shown(line.region));
  }
  return listing;
}

Listing sites_of(const CallProfile& profile, Seconds whole) {
  const bool has_regions = !profile.regions.empty();
  auto listing = listing_of(profile, "where the program calls MPI", {right("time (us)", 14)});
  listing.heads.insert(listing.heads.end(), {right("calls", 10), right("slowest (us)", 14),
                                             left(has_regions ? "call, site, region" : "call, site", 0, 2)});
  for (const auto& [region, site, calls] : profile.sites) {
    auto& cells = listing.rows.emplace_back(ListedRow{percent_text(calls.time, whole), us_text(calls.time)});
    add_place(profile, calls.places, cells);
    cells.insert(cells.end(), {calls.calls, us_text(calls.most),
                               fmt::format("{}, {}{}", mpi_name(calls.call), site,
                                           has_regions ? fmt::format(", {}", shown(region)) : "")});
  }
  return listing;
}

} // namespace

std::string mpi_name(std::string name) {
  name.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(name.front())));
  std::ranges::replace(name, '-', '_');
  return "MPI_" + name;
}

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
    parts.push_back(regions_of(profile, whole));
  if (!profile.sites.empty())
    parts.push_back(sites_of(profile, whole));
  parts.push_back(Note{fmt::format(
      "the busiest rank works {:.1f} % longer than the mean; the one longest in MPI is there {:.1f} % longer",
      100 * imbalance_of(profile.working), 100 * imbalance_of(profile.in_mpi))});
}

Json to_json(const CallProfile& profile) {
  const bool has_recorded = profile.recorded.value > 0;
  const auto add_places = [&](const PlaceTimes& times, Json& to) {
    if (profile.work)
      to.update({{"waiting_us", rounded_us(times.ranks.waiting)},
                 {"transfer_us", rounded_us(times.ranks.transfer)},
                 {"path_us", rounded_us(times.on_path)}});
  };
  const auto json_of = [&](const CallLine& line) {
    Json json{{"call", line.call}};
    add_if_any(json, "communicator", line.communicator);
    json.update({{"calls", line.calls},
                 {"ranks", line.ranks},
                 {"bytes", rounded(line.bytes)},
                 {"time_us", rounded_us(line.time)},
                 {"slowest_us", rounded_us(line.most)},
                 {"slowest_rank", line.slowest}});
    if (has_recorded)
      json["recorded_us"] = rounded_us(line.recorded);
    add_places(line.places, json);
    return json;
  };
  const auto sites = json_list(profile.sites, [&](const SiteLine& each) {
    Json json{{"site", each.site}};
    add_if_any(json, "region", each.region);
    json.update(json_of(each.calls));
    return json;
  });
  const auto regions = json_list(profile.regions, [&](const RegionLine& line) {
    Json json{{"region", line.region}, {"work_us", rounded_us(line.working)}, {"mpi_us", rounded_us(line.in_mpi)}};
    add_places(line.places, json);
    return json;
  });
  Json json{{"lines", json_list(profile.lines, json_of)},
            {"mpi_us", json_list(profile.in_mpi, rounded_us)},
            {"work_us", json_list(profile.working, rounded_us)},
            {"mpi_imbalance", rounded(imbalance_of(profile.in_mpi))},
            {"work_imbalance", rounded(imbalance_of(profile.working))}};
  if (profile.work)
    json["work_path_us"] = rounded_us(profile.work->on_path);
  add_if_any(json, "sites", sites);
  add_if_any(json, "regions", regions);
  return json;
}

} // namespace kakehashi
