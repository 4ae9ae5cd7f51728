#include "report/call_report.hpp"

#include "report/number_form.hpp"

#include <algorithm>
#include <fmt/ostream.h>
#include <nlohmann/json.hpp>

namespace kakehashi {
namespace {

using Json = nlohmann::ordered_json;

Seconds sum_of(const std::vector<Seconds>& times) {
  Seconds sum;
  for (const auto time : times)
    sum += time;
  return sum;
}

std::string name_of(const CallLine& line) {
  return line.communicator.empty() ? line.call : fmt::format("{}, {}", line.call, line.communicator);
}

// How much longer the slowest rank is in it than the mean of those that make such calls.
double imbalance_of(const CallLine& line) {
  return line.time.value > 0 ? line.most.value * static_cast<double>(line.ranks) / line.time.value - 1 : 0;
}

void write_brief(const CallProfile& profile, std::ostream& out) {
  constexpr std::size_t most = 3;
  const auto whole = sum_of(profile.in_mpi) + sum_of(profile.working);
  fmt::print(out, "# in MPI calls {:.1f} % of the ranks' time", percent(sum_of(profile.in_mpi), whole));
  for (std::size_t i = 0; i < std::min(most, profile.lines.size()); ++i)
    fmt::print(out, "{} {:.1f} % {}", i == 0 ? ":" : ",", percent(profile.lines[i].time, whole), profile.lines[i].call);
  if (profile.recorded.value > 0)
    fmt::print(out, " (recorded {:.3f} us, here {:.3f})", in_microseconds(profile.recorded),
               in_microseconds(sum_of(profile.in_mpi)));
  fmt::print(out, "; the busiest rank works {:.1f} % longer than the mean\n", 100 * imbalance_of(profile.working));
}

std::string_view shown(const std::string& region) {
  return region.empty() ? "(none)" : std::string_view(region);
}

// What became of the time there, if that was recorded; without times the heading.
std::string place_columns(const CallProfile& profile, const PlaceTimes* times) {
  if (!profile.work)
    return "";
  return times ? fmt::format(" {:>14.3f} {:>14.3f}", in_microseconds(times->ranks.waiting),
                             in_microseconds(times->on_path))
               : fmt::format(" {:>14} {:>14}", "waiting (us)", "on path (us)");
}

void write_places(const CallProfile& profile, Seconds whole, std::ostream& out) {
  constexpr std::size_t most = 20;
  if (!profile.regions.empty())
    fmt::print(out, "# regions of the program: the time of all ranks in them\n{:>9} {:>14} {:>14}{}  region\n",
               "# share", "work (us)", "in MPI (us)", place_columns(profile, nullptr));
  for (const auto& line : profile.regions)
    fmt::print(out, "{:>7.1f} % {:>14.3f} {:>14.3f}{}  {}\n", percent(line.working + line.in_mpi, whole),
               in_microseconds(line.working), in_microseconds(line.in_mpi), place_columns(profile, &line.places),
               shown(line.region));
  if (profile.sites.empty())
    return;
  fmt::print(out, "# where the program calls MPI\n{:>9} {:>14}{} {:>10} {:>14}  call, site{}\n", "# share", "time (us)",
             place_columns(profile, nullptr), "calls", "slowest (us)", profile.regions.empty() ? "" : ", region");
  for (std::size_t i = 0; i < std::min(most, profile.sites.size()); ++i) {
    const auto& [region, site, calls] = profile.sites[i];
    fmt::print(out, "{:>7.1f} % {:>14.3f}{} {:>10} {:>14.3f}  {}, {}{}\n", percent(calls.time, whole),
               in_microseconds(calls.time), place_columns(profile, &calls.places), calls.calls,
               in_microseconds(calls.most), mpi_name(calls.call), site,
               profile.regions.empty() ? "" : fmt::format(", {}", shown(region)));
  }
  if (profile.sites.size() > most)
    fmt::print(out, "# and {} more\n", profile.sites.size() - most);
}

} // namespace

std::string mpi_name(std::string name) {
  name.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(name.front())));
  std::ranges::replace(name, '-', '_');
  return "MPI_" + name;
}

void write_calls(const CallProfile& profile, bool is_brief, std::ostream& out) {
  constexpr std::size_t most_lines = 20;
  if (profile.lines.empty())
    return;
  if (is_brief)
    return write_brief(profile, out);
  const auto whole = sum_of(profile.in_mpi) + sum_of(profile.working);
  fmt::print(out, "# MPI calls: the time of all ranks in them, {:.1f} % of theirs\n",
             percent(sum_of(profile.in_mpi), whole));
  const bool has_recorded = profile.recorded.value > 0;
  const auto recorded = [&](const std::string& text) { return has_recorded ? fmt::format(" {:>14}", text) : ""; };
  fmt::print(out, "{:>9} {:>14}{}{} {:>10} {:>14} {:>12} {:>14} {:>10}  {}\n", "# share", "time (us)",
             recorded("recorded (us)"), place_columns(profile, nullptr), "calls", "mean (us)", "MB", "slowest (us)",
             "imbalance", "call, communicator");
  for (std::size_t i = 0; i < std::min(most_lines, profile.lines.size()); ++i) {
    const auto& line = profile.lines[i];
    fmt::print(out, "{:>7.1f} % {:>14.3f}{}{} {:>10} {:>14.3f} {:>12.3f} {:>14.3f} {:>8.1f} %  {}, slowest rank {}\n",
               percent(line.time, whole), in_microseconds(line.time),
               recorded(fmt::format("{:.3f}", in_microseconds(line.recorded))), place_columns(profile, &line.places),
               line.calls, in_microseconds(line.time) / static_cast<double>(line.calls), line.bytes / 1e6,
               in_microseconds(line.most), 100 * imbalance_of(line), name_of(line), line.slowest);
  }
  if (profile.lines.size() > most_lines)
    fmt::print(out, "# and {} more\n", profile.lines.size() - most_lines);
  if (profile.work) {
    auto path = profile.work->on_path;
    for (const auto& line : profile.lines)
      path += line.places.on_path;
    fmt::print(out, "# of the critical path {:.1f} % is work, and the rest is in these calls (on path)\n",
               percent(profile.work->on_path, path));
  }
  write_places(profile, whole, out);
  fmt::print(
      out, "# the busiest rank works {:.1f} % longer than the mean; the one longest in MPI is there {:.1f} % longer\n",
      100 * imbalance_of(profile.working), 100 * imbalance_of(profile.in_mpi));
}

Json to_json(const CallProfile& profile) {
  const bool has_recorded = profile.recorded.value > 0;
  const auto add_places = [&](const PlaceTimes& times, Json& to) {
    if (profile.work)
      to.update({{"waiting_us", rounded(in_microseconds(times.ranks.waiting))},
                 {"transfer_us", rounded(in_microseconds(times.ranks.transfer))},
                 {"path_us", rounded(in_microseconds(times.on_path))}});
  };
  const auto json_of = [&](const CallLine& line) {
    Json json{{"call", line.call}};
    if (!line.communicator.empty())
      json["communicator"] = line.communicator;
    json.update({{"calls", line.calls},
                 {"ranks", line.ranks},
                 {"bytes", rounded(line.bytes)},
                 {"time_us", rounded(in_microseconds(line.time))},
                 {"slowest_us", rounded(in_microseconds(line.most))},
                 {"slowest_rank", line.slowest}});
    if (has_recorded)
      json["recorded_us"] = rounded(in_microseconds(line.recorded));
    add_places(line.places, json);
    return json;
  };
  Json lines = Json::array(), sites = Json::array(), regions = Json::array();
  for (const auto& line : profile.lines)
    lines.push_back(json_of(line));
  for (const auto& each : profile.sites) {
    Json json{{"site", each.site}};
    if (!each.region.empty())
      json["region"] = each.region;
    json.update(json_of(each.calls));
    sites.push_back(std::move(json));
  }
  for (const auto& line : profile.regions) {
    Json json{{"region", line.region},
              {"work_us", rounded(in_microseconds(line.working))},
              {"mpi_us", rounded(in_microseconds(line.in_mpi))}};
    add_places(line.places, json);
    regions.push_back(std::move(json));
  }
  Json in_mpi = Json::array(), working = Json::array();
  for (const auto time : profile.in_mpi)
    in_mpi.push_back(rounded(in_microseconds(time)));
  for (const auto time : profile.working)
    working.push_back(rounded(in_microseconds(time)));
  Json json{{"lines", lines},
            {"mpi_us", in_mpi},
            {"work_us", working},
            {"mpi_imbalance", rounded(imbalance_of(profile.in_mpi))},
            {"work_imbalance", rounded(imbalance_of(profile.working))}};
  if (profile.work)
    json["work_path_us"] = rounded(in_microseconds(profile.work->on_path));
  if (!sites.empty())
    json["sites"] = sites;
  if (!regions.empty())
    json["regions"] = regions;
  return json;
}

} // namespace kakehashi
