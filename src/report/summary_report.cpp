#include "report/run_report.hpp"

#include "base/text.hpp"
#include "report/tree.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace kakehashi {
namespace {

constexpr std::size_t few_links = 3; // with so few, only the most important one is shown
constexpr std::size_t few_shares = 6;
constexpr std::size_t most_ranks = 32;
constexpr std::size_t most_shares = 12;
constexpr std::size_t many_shares = 24;   // with more, shares are shown by kind
constexpr std::size_t most_lines = 16;    // of the path in order
constexpr std::size_t most_stretches = 8; // in a line

// Returns, of many ranks, those that wait least, for which the others wait, and those that wait most; in the order of
// ranks.
std::vector<std::size_t> shown_ranks(const std::vector<RankTimes>& ranks) {
  std::vector<std::size_t> shown(ranks.size());
  std::iota(shown.begin(), shown.end(), std::size_t{0});
  if (shown.size() <= most_ranks)
    return shown;
  std::ranges::stable_sort(shown, {}, [&](std::size_t rank) { return ranks[rank].waiting; });
  shown.erase(shown.begin() + most_ranks / 2, shown.end() - most_ranks / 2);
  std::ranges::sort(shown);
  return shown;
}

void add_efficiencies(const Efficiencies& found, ReportParts& parts) {
  parts.push_back(Note{
      fmt::format("efficiency: {:.1f} % of the ranks' time is work = load balance {:.1f} % x communication {:.1f} %",
                  100 * found.parallel, 100 * found.load_balance, 100 * found.communication)});
  if (found.ideal)
    parts.push_back(Note{
        fmt::format("communication = serialisation {:.1f} % x transfer {:.1f} %: {:.3f} us if messages took no time",
                    100 * found.serialisation, 100 * found.transfer, in_microseconds(*found.ideal))});
}

ListedRow cells_of(std::string rank, const std::string& device, const RankTimes& times) {
  ListedRow cells{std::move(rank), device};
  for (const auto part : times.parts())
    cells.push_back(fmt::format("{:.3f} {:>5.1f} %", in_microseconds(part), percent(part, times.total())));
  cells.push_back(us_text(times.total()));
  return cells;
}

Listing ranks_of(const std::vector<RankTimes>& ranks, std::span<const std::string> devices) {
  Listing listing{"",
                  {left("Rank", 8), left("Device", 24), right("compute (us)", 20), right("overhead (us)", 20),
                   right("waiting (us)", 20), right("transfer (us)", 20), right("end (us)", 12)},
                  {}};
  const auto shown = shown_ranks(ranks);
  for (const auto rank : shown)
    listing.rows.push_back(cells_of(std::to_string(rank), devices[rank], ranks[rank]));
  if (shown.size() < ranks.size())
    listing.rows.push_back(
        {in_tone({fmt::format("those {} wait least and most, of {}", shown.size(), ranks.size()), listing.heads.size()},
                 Tone::remark)});
  RankTimes mean;
  const double share = 1 / static_cast<double>(ranks.size());
  for (const auto& times : ranks) {
    mean.compute += share * times.compute;
    mean.overhead += share * times.overhead;
    mean.waiting += share * times.waiting;
    mean.transfer += share * times.transfer;
  }
  auto& last = listing.rows.emplace_back(cells_of("mean", "", mean));
  last.front() = in_tone(last.front(), Tone::remark);
  return listing;
}

std::string place_of(const PathShare& share) {
  if (share.from < 0)
    return ", others";
  return share.from == share.to ? fmt::format(", rank {}", share.from)
                                : fmt::format(", rank {} to rank {}", share.from, share.to);
}

// Returns ", 24 ranks, most of it rank 3 (3.1 %)".
std::string places_of(const PathKind& kind, Seconds duration) {
  if (kind.places + (kind.has_others ? 1 : 0) < 2)
    return place_of(kind.largest);
  return fmt::format(
      ", {}{}; most: {} ({:.1f} %)", counted(kind.places, kind.largest.from == kind.largest.to ? "rank" : "pair"),
      kind.has_others ? " and others" : "", place_of(kind.largest).substr(2), percent(kind.largest.time, duration));
}

template <class Share> ListedRow cells_of(const Share& share, const std::string& place, Seconds duration) {
  return {percent_text(share.time, duration), us_text(share.time), share.steps,
          percent_text(share.contended, share.time), share.what + place};
}

// For a path along many ranks, adds the kinds first, and then only the largest parts.
void add_shares(const RunSummary& summary, std::size_t most, ReportParts& parts) {
  const auto duration = summary.duration;
  parts.push_back(Note{fmt::format("critical path of {:.3f} us: what it consists of", in_microseconds(duration))});
  if (auto place = place_of_path(summary); !place.empty())
    parts.push_back(Note{std::move(place)});
  Listing listing{
      "",
      {right("share", 9), right("time (us)", 14), right("pieces", 10), right("contended", 11), left("what", 0, 2)},
      {}};
  if (summary.shares.size() > many_shares) {
    auto kinds = listing;
    for (const auto& kind : kinds_of(summary.shares))
      kinds.rows.push_back(cells_of(kind, places_of(kind, duration), duration));
    parts.push_back(std::move(kinds));
    listing.title = "its largest parts";
    listing.has_heading = false;
    most = few_shares;
  }
  Seconds rest;
  for (std::size_t i = 0; i < summary.shares.size(); ++i)
    if (i < most)
      listing.rows.push_back(cells_of(summary.shares[i], place_of(summary.shares[i]), duration));
    else
      rest += summary.shares[i].time;
  if (summary.shares.size() > most)
    listing.rows.push_back(
        {percent_text(rest, duration), us_text(rest), "", "", fmt::format("{} others", summary.shares.size() - most)});
  parts.push_back(std::move(listing));
}

// Returns "rank 0 1.500 us, 64 KiB to rank 1 20.000 us" with mean times.
std::string steps_text(const PathGroup& group) {
  std::string text;
  const auto mean = [&](Seconds time) { return in_microseconds(time) / static_cast<double>(group.times); };
  for (std::size_t i = 0; i < std::min(most_stretches, group.stretches.size()); ++i) {
    const auto& stretch = group.stretches[i];
    text += i == 0 ? "" : ", ";
    if (stretch.is_message)
      text +=
          fmt::format("{} from {} to {} {:.3f}", to_text(stretch.size), stretch.from, stretch.to, mean(stretch.time));
    else
      text += fmt::format("rank {} {:.3f}", stretch.from, mean(stretch.time));
    if (stretch.compute.value > 0 && stretch.compute < stretch.time)
      text += fmt::format(" ({:.3f} of it compute)", mean(stretch.compute));
  }
  if (group.stretches.size() > most_stretches)
    text += fmt::format(", and {} more", group.stretches.size() - most_stretches);
  return text;
}

// Returns whether each group is listed: the longest ones are, if they are long enough to matter.
std::vector<bool> listed_groups(const std::vector<PathGroup>& groups, Seconds duration) {
  constexpr double least_share = 0.005;
  std::vector<std::size_t> order(groups.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t i) { return groups[i].time(); });
  std::vector<bool> is_listed(groups.size());
  for (std::size_t i = 0; i < std::min(most_lines, order.size()); ++i)
    is_listed[order[i]] = !groups[order[i]].stretches.empty() && groups[order[i]].time() >= least_share * duration;
  return is_listed;
}

} // namespace

void add_order(const RunSummary& summary, ReportParts& parts) {
  const auto is_listed = listed_groups(summary.order, summary.duration);
  if (std::ranges::none_of(is_listed, std::identity()))
    return; // the path is only many short steps
  Listing listing{"critical path in order: steps and their mean times in us",
                  {right("share", 9), right("time (us)", 14), right("times", 10), left("steps", 0, 2)},
                  {}};
  const auto add_row = [&](Seconds time, std::uint64_t times, const std::string& text) {
    listing.rows.push_back({percent_text(time, summary.duration), us_text(time), times, text});
  };
  Seconds hidden;
  std::uint64_t hidden_stretches = 0;
  const auto add_hidden = [&] {
    if (hidden_stretches > 0)
      add_row(hidden, 1, fmt::format("({} steps that are not listed)", hidden_stretches));
    hidden = {};
    hidden_stretches = 0;
  };
  for (std::size_t i = 0; i < summary.order.size(); ++i) {
    const auto& group = summary.order[i];
    if (!is_listed[i]) {
      hidden += group.time();
      hidden_stretches += group.times * std::max<std::size_t>(1, group.stretches.size());
      continue;
    }
    add_hidden();
    add_row(group.time(), group.times, steps_text(group));
  }
  add_hidden();
  parts.push_back(std::move(listing));
}

namespace {

Json to_json(const PathStretch& stretch) {
  if (stretch.is_message)
    return {{"from", stretch.from},
            {"to", stretch.to},
            {"bytes", stretch.size.count},
            {"time_us", rounded_us(stretch.time)}};
  return {{"rank", stretch.from}, {"compute_us", rounded_us(stretch.compute)}, {"time_us", rounded_us(stretch.time)}};
}

Json to_json(const PathGroup& group) {
  if (group.stretches.empty())
    return {{"times", 1}, {"time_us", rounded_us(group.time())}, {"untold_steps", group.times}};
  return {{"times", group.times},
          {"time_us", rounded_us(group.time())},
          {"steps", json_list(group.stretches, [](const PathStretch& each) { return to_json(each); })}};
}

Json to_json(const PathShare& share) {
  Json json{{"what", share.what}};
  if (share.from >= 0 && share.from == share.to)
    json["rank"] = share.from;
  else if (share.from >= 0)
    json.update({{"from", share.from}, {"to", share.to}});
  json.update(
      {{"time_us", rounded_us(share.time)}, {"contended_us", rounded_us(share.contended)}, {"pieces", share.steps}});
  return json;
}

Json to_json(const PathKind& kind) {
  return {{"what", kind.what},
          {"time_us", rounded_us(kind.time)},
          {"contended_us", rounded_us(kind.contended)},
          {"pieces", kind.steps},
          {"places", kind.places}};
}

Json to_json(const RankTimes& times) {
  return {{"compute_us", rounded_us(times.compute)},
          {"overhead_us", rounded_us(times.overhead)},
          {"waiting_us", rounded_us(times.waiting)},
          {"transfer_us", rounded_us(times.transfer)},
          {"end_us", rounded_us(times.total())}};
}

} // namespace

Listing listing_of(std::span<const LinkUse> links, std::size_t most) {
  Listing listing{
      "", {left("busiest links", 48), right("MB/s", 12), right("MB carried", 14), right("busy", 8)}, {}, true, most};
  for (const auto& link : links)
    listing.rows.push_back({link.channel, fmt::format("{:.1f}", link.capacity.value / 1e6),
                            fmt::format("{:.3f}", link.bytes / 1e6), percent_text(link.busy)});
  return listing;
}

void add_summary(const RunSummary& summary, std::span<const std::string> ranks, ReportParts& parts) {
  if (summary.is_brief) {
    add_shares(summary, few_shares, parts);
    if (!summary.links.empty())
      parts.push_back(listing_of(summary.links, few_links));
    if (!summary.shares.empty())
      parts.push_back(Note{"--summary shows more"});
    return;
  }
  if (summary.efficiencies)
    add_efficiencies(*summary.efficiencies, parts);
  parts.push_back(ranks_of(summary.ranks, ranks));
  add_shares(summary, most_shares, parts);
  if (!summary.order.empty())
    add_order(summary, parts);
  if (!summary.links.empty())
    parts.push_back(listing_of(summary.links));
  if (summary.traffic)
    add_traffic(*summary.traffic, parts);
}

Json to_json(std::span<const LinkUse> links) {
  return json_list(links, [](const LinkUse& link) {
    return Json{{"link", link.channel},
                {"mbytes_per_s", rounded(link.capacity.value / 1e6)},
                {"bytes", rounded(link.bytes)},
                {"busy", rounded(link.busy)}};
  });
}

Json to_json(const RunSummary& summary) {
  const auto list = [](const auto& all) { return json_list(all, [](const auto& each) { return to_json(each); }); };
  Json json{
      {"duration_us", rounded_us(summary.duration)},
      {"ranks", list(summary.ranks)},
      {"critical_path",
       {{"kinds", list(kinds_of(summary.shares))}, {"shares", list(summary.shares)}, {"chain", list(summary.order)}}},
      {"links", to_json(summary.links)}};
  if (const auto& found = summary.efficiencies) {
    json["efficiency"] = {{"parallel", rounded(found->parallel)},
                          {"load_balance", rounded(found->load_balance)},
                          {"communication", rounded(found->communication)}};
    if (found->ideal)
      json["efficiency"].update({{"serialisation", rounded(found->serialisation)},
                                 {"transfer", rounded(found->transfer)},
                                 {"ideal_us", rounded_us(*found->ideal)}});
  }
  if (summary.standing_ranks > 0)
    json["critical_path"]["standing_ranks"] = summary.standing_ranks;
  if (summary.traffic)
    json["traffic"] = to_json(*summary.traffic);
  return json;
}

} // namespace kakehashi
