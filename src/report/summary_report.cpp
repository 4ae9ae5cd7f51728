#include "report/report_parts.hpp"

#include "base/text.hpp"
#include "report/column.hpp"
#include "writer/json_values.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <numeric>

namespace kakehashi {
namespace {

constexpr std::size_t few_links = 3; // with so few, only the most important one is shown
constexpr std::size_t few_shares = 6;
constexpr std::size_t most_ranks = 32;
constexpr std::size_t most_shares = 12;
constexpr std::size_t many_shares = 24;   // with more, shares are shown by kind
constexpr std::size_t most_lines = 16;    // the most lines of the path in order
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

// Columns of the ranks' numbers.
ColumnsOf<std::size_t> rank_columns(std::span<const RankTimes> ranks, std::span<const std::string> devices) {
  ColumnsOf<std::size_t> columns{
      {"rank", left("Rank", 8), {}, [](std::size_t rank) { return Datum(rank); }},
      {"device", left("Device", 24), {}, [=](std::size_t rank) { return Datum(devices[rank]); }}};
  constexpr std::array parts{"compute", "overhead", "waiting", "transfer"};
  for (std::size_t i = 0; i < parts.size(); ++i)
    columns.push_back(
        {fmt::format("{}_us", parts[i]), right(fmt::format("{} (us)", parts[i]), 20), {}, [=](std::size_t rank) {
           const auto time = ranks[rank].parts()[i];
           return Datum(time).shown_as(
               fmt::format("{:.3f} {:>5.1f} %", in_microseconds(time), percent(time, ranks[rank].total())));
         }});
  columns.push_back({"end_us", right("end (us)", 12), {3}, [=](std::size_t rank) { return ranks[rank].total(); }});
  return columns;
}

RankTimes mean_of(const std::vector<RankTimes>& ranks) {
  RankTimes mean;
  const double share = 1 / static_cast<double>(ranks.size());
  for (const auto& times : ranks) {
    mean.compute += share * times.compute;
    mean.overhead += share * times.overhead;
    mean.waiting += share * times.waiting;
    mean.transfer += share * times.transfer;
  }
  return mean;
}

Listing ranks_of(const std::vector<RankTimes>& ranks, std::span<const std::string> devices) {
  const auto shown = shown_ranks(ranks);
  auto listing = listing_of("", rank_columns(ranks, devices), shown);
  if (shown.size() < ranks.size())
    listing.rows.push_back(
        {in_tone({fmt::format("those {} wait least and most, of {}", shown.size(), ranks.size()), listing.heads.size()},
                 Tone::remark)});
  const std::array mean{mean_of(ranks)};
  const std::array device{std::string()};
  auto& last = listing.rows.emplace_back(cells_of(rank_columns(mean, device), std::size_t{0}));
  last.front() = in_tone("mean", Tone::remark);
  return listing;
}

// Returns ", 24 ranks, most of it rank 3 (3.1 %)".
std::string place_of(const PathKind& kind, Seconds duration) {
  if (kind.places + (kind.has_others ? 1 : 0) < 2)
    return place_of(kind.largest);
  return fmt::format(
      ", {}{}; most: {} ({:.1f} %)", counted(kind.places, kind.largest.from == kind.largest.to ? "rank" : "pair"),
      kind.has_others ? " and others" : "", place_of(kind.largest).substr(2), percent(kind.largest.time, duration));
}

// Columns of the path's parts, or of all parts of a kind.
template <class Share> ColumnsOf<Share> share_columns(Seconds duration) {
  ColumnsOf<Share> columns{
      {"", right("share", 9), {}, [=](const Share& each) { return percent_text(each.time, duration); }},
      {"time_us", right("time (us)", 14), {3}, &Share::time},
      {"contended_us", {}, {}, &Share::contended},
      {"pieces", right("pieces", 10), {}, &Share::steps},
      {"", right("contended", 11), {}, [](const Share& each) { return percent_text(each.contended, each.time); }},
      {"", left("what", 0, 2), {}, [=](const Share& each) { return each.what + place_of(each, duration); }}};
  return columns;
}

// For a path along many ranks, adds the kinds first, and then only the largest parts.
void add_shares(const RunSummary& summary, std::size_t most, ReportParts& parts) {
  const auto duration = summary.duration;
  parts.push_back(Note{fmt::format("critical path of {:.3f} us: what it consists of", in_microseconds(duration))});
  if (auto place = place_of_path(summary); !place.empty())
    parts.push_back(Note{std::move(place)});
  const auto columns = share_columns<PathShare>(duration);
  auto listing = heads_of("", columns);
  if (summary.shares.size() > many_shares) {
    parts.push_back(listing_of("", share_columns<PathKind>(duration), kinds_of(summary.shares)));
    listing.title = "its largest parts";
    listing.has_heading = false;
    most = few_shares;
  }
  Seconds rest;
  for (std::size_t i = 0; i < summary.shares.size(); ++i)
    if (i < most)
      listing.rows.push_back(cells_of(columns, summary.shares[i]));
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

std::string place_of(const PathShare& share, Seconds) {
  if (share.from < 0)
    return ", others";
  return share.from == share.to ? fmt::format(", rank {}", share.from)
                                : fmt::format(", rank {} to rank {}", share.from, share.to);
}

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
  json.update(tree_of(share_columns<PathShare>({}), share));
  return json;
}

Json to_json(const PathKind& kind) {
  Json json{{"what", kind.what}};
  json.update(tree_of(share_columns<PathKind>({}), kind));
  json["places"] = kind.places;
  return json;
}

} // namespace

ColumnsOf<LinkUse> link_columns(RateUnit unit = {}) {
  return {{"link", left("busiest links", 48), {}, &LinkUse::channel},
          {"mbytes_per_s", right(std::string(unit.name()), 12), form_of_rate(unit), &LinkUse::capacity},
          {"bytes", right(unit.megabyte == 1e6 ? "MB carried" : "MiB carried", 14),
           Form{.digits = 3, .per = unit.megabyte}, &LinkUse::bytes},
          {"busy", right("busy", 8), {1, Unit::share}, &LinkUse::busy}};
}

Listing listing_of(std::span<const LinkUse> links, RateUnit unit, std::size_t most) {
  auto listing = listing_of("", link_columns(unit), links);
  listing.most = most;
  return listing;
}

Listing all_ranks(const RunSummary& summary, std::span<const std::string> devices) {
  return listing_of("Ranks", rank_columns(summary.ranks, devices), numbers_to(summary.ranks.size()));
}

Listing all_shares(const RunSummary& summary) {
  return listing_of("Shares of the critical path", share_columns<PathShare>(summary.duration), summary.shares);
}

void add_summary(const RunSummary& summary, std::span<const std::string> ranks, ReportParts& parts) {
  if (summary.is_brief) {
    add_shares(summary, few_shares, parts);
    if (!summary.links.empty())
      parts.push_back(listing_of(summary.links, summary.unit, few_links));
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
    parts.push_back(listing_of(summary.links, summary.unit));
  if (summary.traffic)
    add_traffic(*summary.traffic, parts);
}

Json to_json(std::span<const LinkUse> links) {
  return list_of(link_columns(), links);
}

Json to_json(const RunSummary& summary) {
  const auto list = [](const auto& all) { return json_list(all, [](const auto& each) { return to_json(each); }); };
  const auto times =
      picked(rank_columns(summary.ranks, {}), {"compute_us", "overhead_us", "waiting_us", "transfer_us", "end_us"});
  Json json{
      {"duration_us", rounded_us(summary.duration)},
      {"ranks", list_of(times, numbers_to(summary.ranks.size()))},
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
