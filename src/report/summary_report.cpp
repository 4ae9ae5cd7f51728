#include "report/summary_report.hpp"

#include "base/text.hpp"
#include "report/number_form.hpp"
#include "report/traffic_report.hpp"

#include <algorithm>
#include <fmt/ostream.h>
#include <nlohmann/json.hpp>
#include <numeric>

namespace kakehashi {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t few_links = 3; // of which only the most important is shown
constexpr std::size_t few_shares = 6;
constexpr std::size_t most_ranks = 32;
constexpr std::size_t most_shares = 12;
constexpr std::size_t many_shares = 24;   // more are shown by kind
constexpr std::size_t most_lines = 16;    // of the chain
constexpr std::size_t most_stretches = 8; // of a line

void write_rank(std::string_view rank, std::string_view device, const RankTimes& times, std::ostream& out) {
  const auto end = times.total();
  fmt::print(out, "{:<8} {:<24}", rank, device);
  for (const auto part : {times.compute, times.overhead, times.waiting, times.transfer})
    fmt::print(out, " {:>12.3f} {:>5.1f} %", in_microseconds(part), percent(part, end));
  fmt::print(out, " {:>12.3f}\n", in_microseconds(end));
}

// Of many ranks those that wait least, for which the others wait, and those that wait most; in order of rank.
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

void write_efficiencies(const Efficiencies& found, std::ostream& out) {
  fmt::print(out,
             "# efficiency: {:.1f} % of the ranks' time is work = load balance {:.1f} % x communication {:.1f} %\n",
             100 * found.parallel, 100 * found.load_balance, 100 * found.communication);
  if (found.ideal)
    fmt::print(out,
               "# communication = serialisation {:.1f} % x transfer {:.1f} %: {:.3f} us if messages took no time\n",
               100 * found.serialisation, 100 * found.transfer, in_microseconds(*found.ideal));
}

void write_ranks(const std::vector<RankTimes>& ranks, std::span<const std::string> devices, std::ostream& out) {
  fmt::print(out, "{:<8} {:<24} {:>20} {:>20} {:>20} {:>20} {:>12}\n", "# Rank", "Device", "compute (us)",
             "overhead (us)", "waiting (us)", "transfer (us)", "end (us)");
  const auto shown = shown_ranks(ranks);
  for (const auto rank : shown)
    write_rank(std::to_string(rank), devices[rank], ranks[rank], out);
  if (shown.size() < ranks.size())
    fmt::print(out, "# those {} wait least and most, of {}\n", shown.size(), ranks.size());
  RankTimes mean;
  const double share = 1 / static_cast<double>(ranks.size());
  for (const auto& times : ranks) {
    mean.compute += share * times.compute;
    mean.overhead += share * times.overhead;
    mean.waiting += share * times.waiting;
    mean.transfer += share * times.transfer;
  }
  write_rank("# mean", "", mean, out);
}

std::string place_of(const PathShare& share) {
  if (share.from < 0)
    return ", others";
  return share.from == share.to ? fmt::format(", rank {}", share.from)
                                : fmt::format(", rank {} to rank {}", share.from, share.to);
}

// ", 24 ranks, most of it rank 3 (3.1 %)"
std::string places_of(const PathKind& kind, Seconds duration) {
  if (kind.places + (kind.has_others ? 1 : 0) < 2)
    return place_of(kind.largest);
  return fmt::format(
      ", {}{}; most: {} ({:.1f} %)", counted(kind.places, kind.largest.from == kind.largest.to ? "rank" : "pair"),
      kind.has_others ? " and others" : "", place_of(kind.largest).substr(2), percent(kind.largest.time, duration));
}

template <class Share>
void write_share(const Share& share, const std::string& place, Seconds duration, std::ostream& out) {
  fmt::print(out, "{:>7.1f} % {:>14.3f} {:>10} {:>9.1f} %  {}{}\n", percent(share.time, duration),
             in_microseconds(share.time), share.steps, percent(share.contended, share.time), share.what, place);
}

// Along many ranks: by kind first, and then the largest parts only.
void write_shares(const RunSummary& summary, std::size_t most, std::ostream& out) {
  fmt::print(out, "# critical path of {:.3f} us: what it consists of\n", in_microseconds(summary.duration));
  if (const auto place = place_of_path(summary); !place.empty())
    fmt::print(out, "# {}\n", place);
  fmt::print(out, "{:>9} {:>14} {:>10} {:>11}  {}\n", "# share", "time (us)", "pieces", "contended", "what");
  if (summary.shares.size() > many_shares) {
    for (const auto& kind : kinds_of(summary.shares))
      write_share(kind, places_of(kind, summary.duration), summary.duration, out);
    fmt::print(out, "# its largest parts\n");
    most = few_shares;
  }
  Seconds rest;
  for (std::size_t i = 0; i < summary.shares.size(); ++i)
    if (i < most)
      write_share(summary.shares[i], place_of(summary.shares[i]), summary.duration, out);
    else
      rest += summary.shares[i].time;
  if (summary.shares.size() > most)
    fmt::print(out, "{:>7.1f} % {:>14.3f} {:>10} {:>11}  {} others\n", percent(rest, summary.duration),
               in_microseconds(rest), "", "", summary.shares.size() - most);
}

// "rank 0 1.500 us, 64 KiB to rank 1 20.000 us": the times are means.
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

// Whether each group is listed: those that take longest are, if that is long enough to matter.
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

void write_order(const RunSummary& summary, std::ostream& out) {
  const auto is_listed = listed_groups(summary.order, summary.duration);
  if (std::ranges::none_of(is_listed, std::identity()))
    return; // all of it is many short steps
  fmt::print(out, "# critical path in order: steps and their mean times in us\n{:>9} {:>14} {:>10}  {}\n", "# share",
             "time (us)", "times", "steps");
  const auto line = [&](Seconds time, std::uint64_t times, const std::string& text) {
    fmt::print(out, "{:>7.1f} % {:>14.3f} {:>10}  {}\n", percent(time, summary.duration), in_microseconds(time), times,
               text);
  };
  Seconds hidden;
  std::uint64_t hidden_stretches = 0;
  const auto write_hidden = [&] {
    if (hidden_stretches > 0)
      line(hidden, 1, fmt::format("({} steps that are not listed)", hidden_stretches));
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
    write_hidden();
    line(group.time(), group.times, steps_text(group));
  }
  write_hidden();
}

Json to_json(const PathGroup& group) {
  Json json{{"times", group.times}, {"time_us", rounded(in_microseconds(group.time()))}};
  if (group.stretches.empty()) {
    json["times"] = 1;
    json["untold_steps"] = group.times;
    return json;
  }
  json["steps"] = Json::array();
  for (const auto& stretch : group.stretches) {
    if (stretch.is_message)
      json["steps"].push_back({{"from", stretch.from},
                               {"to", stretch.to},
                               {"bytes", stretch.size.count},
                               {"time_us", rounded(in_microseconds(stretch.time))}});
    else
      json["steps"].push_back({{"rank", stretch.from},
                               {"compute_us", rounded(in_microseconds(stretch.compute))},
                               {"time_us", rounded(in_microseconds(stretch.time))}});
  }
  return json;
}

} // namespace

Listing listing_of(std::span<const LinkUse> links, std::size_t most) {
  Listing listing{
      "", {left("busiest links", 48), right("MB/s", 12), right("MB carried", 14), right("busy", 8)}, {}, true, most};
  for (const auto& link : links)
    listing.rows.push_back({link.channel, fmt::format("{:.1f}", link.capacity.value / 1e6),
                            fmt::format("{:.3f}", link.bytes / 1e6), fmt::format("{:.1f} %", 100 * link.busy)});
  return listing;
}

std::string shares_text(const RankTimes& times) {
  std::string text;
  for (const auto part : {times.compute, times.overhead, times.waiting, times.transfer})
    text += fmt::format(" {:>7.1f} %", percent(part, times.total()));
  return text;
}

void write_summary(const RunSummary& summary, std::span<const std::string> ranks, std::ostream& out) {
  if (summary.is_brief) {
    write_shares(summary, few_shares, out);
    if (!summary.links.empty())
      write_text(listing_of(summary.links, few_links), out);
    if (!summary.shares.empty())
      out << "# --summary shows more\n";
    return;
  }
  if (summary.efficiencies)
    write_efficiencies(*summary.efficiencies, out);
  write_ranks(summary.ranks, ranks, out);
  write_shares(summary, most_shares, out);
  if (!summary.order.empty())
    write_order(summary, out);
  if (!summary.links.empty())
    write_text(listing_of(summary.links), out);
  if (summary.traffic)
    write_traffic(*summary.traffic, out);
}

Json to_json(std::span<const LinkUse> links) {
  Json list = Json::array();
  for (const auto& link : links)
    list.push_back({{"link", link.channel},
                    {"mbytes_per_s", rounded(link.capacity.value / 1e6)},
                    {"bytes", rounded(link.bytes)},
                    {"busy", rounded(link.busy)}});
  return list;
}

Json to_json(const RunSummary& summary) {
  Json ranks = Json::array();
  for (const auto& times : summary.ranks)
    ranks.push_back({{"compute_us", rounded(in_microseconds(times.compute))},
                     {"overhead_us", rounded(in_microseconds(times.overhead))},
                     {"waiting_us", rounded(in_microseconds(times.waiting))},
                     {"transfer_us", rounded(in_microseconds(times.transfer))},
                     {"end_us", rounded(in_microseconds(times.total()))}});
  Json shares = Json::array();
  for (const auto& share : summary.shares) {
    Json json{{"what", share.what}};
    if (share.from >= 0 && share.from == share.to)
      json["rank"] = share.from;
    else if (share.from >= 0)
      json.update({{"from", share.from}, {"to", share.to}});
    json.update({{"time_us", rounded(in_microseconds(share.time))},
                 {"contended_us", rounded(in_microseconds(share.contended))},
                 {"pieces", share.steps}});
    shares.push_back(std::move(json));
  }
  Json kinds = Json::array();
  for (const auto& kind : kinds_of(summary.shares))
    kinds.push_back({{"what", kind.what},
                     {"time_us", rounded(in_microseconds(kind.time))},
                     {"contended_us", rounded(in_microseconds(kind.contended))},
                     {"pieces", kind.steps},
                     {"places", kind.places}});
  Json chain = Json::array();
  for (const auto& group : summary.order)
    chain.push_back(to_json(group));
  Json json{{"duration_us", rounded(in_microseconds(summary.duration))},
            {"ranks", ranks},
            {"critical_path", {{"kinds", kinds}, {"shares", shares}, {"chain", chain}}},
            {"links", to_json(summary.links)}};
  if (const auto& found = summary.efficiencies) {
    json["efficiency"] = {{"parallel", rounded(found->parallel)},
                          {"load_balance", rounded(found->load_balance)},
                          {"communication", rounded(found->communication)}};
    if (found->ideal)
      json["efficiency"].update({{"serialisation", rounded(found->serialisation)},
                                 {"transfer", rounded(found->transfer)},
                                 {"ideal_us", rounded(in_microseconds(*found->ideal))}});
  }
  if (summary.standing_ranks > 0)
    json["critical_path"]["standing_ranks"] = summary.standing_ranks;
  if (summary.traffic)
    json["traffic"] = to_json(*summary.traffic);
  return json;
}

} // namespace kakehashi
