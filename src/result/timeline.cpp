#include "result/recording.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>

namespace kakehashi {
namespace {

constexpr std::size_t least_rows = 16; // ranks, and links, that are kept as long as there is any room

// Drops the less busy half of the rows that are still shown; returns false if there was none to drop.
template <class Rows> bool halve(Rows& rows) {
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i].is_used && !rows[i].is_left_out)
      shown.push_back(i);
  if (shown.size() <= least_rows)
    return false;
  std::stable_sort(shown.begin(), shown.end(),
                   [&](std::size_t a, std::size_t b) { return rows[a].busy > rows[b].busy; });
  for (std::size_t i = std::max(least_rows, shown.size() / 2); i < shown.size(); ++i)
    rows[shown[i]].is_left_out = true;
  return true;
}

template <class Rows> Timeline::Coverage coverage_of(const Rows& rows) {
  Timeline::Coverage coverage;
  for (const auto& row : rows) {
    coverage.all += row.is_used;
    coverage.shown += row.is_used && !row.is_left_out;
  }
  return coverage;
}

} // namespace

void Timeline::clear() {
  *this = Timeline(most_);
}

bool Timeline::shows_rank(int rank) const {
  const auto index = static_cast<std::size_t>(rank);
  if (index >= rank_rows_.size() || !rank_rows_[index].is_used)
    return std::ranges::none_of(rank_rows_, &Row::is_left_out);
  return !rank_rows_[index].is_left_out;
}

bool Timeline::shows_link(std::size_t channel) const {
  return channel < link_rows_.size() && link_rows_[channel].is_used && !link_rows_[channel].is_left_out;
}

Timeline::Coverage Timeline::rank_coverage() const {
  return coverage_of(rank_rows_);
}

Timeline::Coverage Timeline::link_coverage() const {
  return coverage_of(link_rows_);
}

void Timeline::add(const RankSlice& slice) {
  const auto index = static_cast<std::size_t>(slice.rank);
  if (rank_rows_.size() <= index)
    rank_rows_.resize(index + 1);
  auto& row = rank_rows_[index];
  row.is_used = true;
  if (slice.activity <= Activity::receive)
    row.busy += (slice.end - slice.start).value;
  if (row.is_left_out || details_end_)
    return;
  ranks_.push_back(slice);
  if (events() > most_)
    thin(slice.end);
}

Timeline::Link& Timeline::link_of(std::size_t channel) {
  if (link_rows_.size() <= channel)
    link_rows_.resize(channel + 1);
  return link_rows_[channel];
}

void Timeline::transfer_starts(std::span<const std::size_t> channels, Bytes size, Seconds now) {
  for (const auto channel : channels) {
    auto& link = link_of(channel);
    link.is_used = true;
    if (link.transfers++ == 0) {
      link.since = now;
      link.transfers_of_slice = 0;
      link.bytes_of_slice = 0;
    }
    ++link.transfers_of_slice;
    link.bytes_of_slice += static_cast<double>(size.count);
    if (!link.is_left_out && !details_end_)
      loads_.push_back({static_cast<std::uint32_t>(channel), link.transfers, now});
  }
  if (events() > most_)
    thin(now);
}

void Timeline::transfer_ends(std::span<const std::size_t> channels, Seconds now) {
  for (const auto channel : channels) {
    auto& link = link_of(channel);
    --link.transfers;
    if (link.transfers == 0)
      link.busy += (now - link.since).value;
    if (link.is_left_out || details_end_)
      continue;
    loads_.push_back({static_cast<std::uint32_t>(channel), link.transfers, now});
    if (link.transfers == 0)
      links_.push_back(
          {static_cast<std::uint32_t>(channel), link.transfers_of_slice, link.bytes_of_slice, link.since, now});
  }
  if (events() > most_)
    thin(now);
}

void Timeline::thin(Seconds now) {
  if (details_end_)
    return;
  const bool has_fewer_ranks = halve(rank_rows_);
  const bool has_fewer_links = halve(link_rows_);
  if (!has_fewer_ranks && !has_fewer_links) {
    details_end_ = now;
    return;
  }
  std::erase_if(ranks_, [&](const RankSlice& slice) { return !shows_rank(slice.rank); });
  std::erase_if(links_, [&](const LinkSlice& slice) { return !shows_link(slice.channel); });
  std::erase_if(loads_, [&](const LinkLoad& load) { return !shows_link(load.channel); });
}

void Timeline::finish() {
  const auto order = [](const RankSlice& slice) {
    return std::tuple(slice.rank, slice.start, Seconds{-slice.end.value});
  };
  std::ranges::stable_sort(ranks_, {}, order);
  std::ranges::stable_sort(links_, {}, &LinkSlice::channel);
  std::ranges::stable_sort(loads_, {}, &LinkLoad::channel);
  std::vector<std::uint32_t> sent, arrived;
  for (const auto& slice : ranks_)
    if (slice.activity == Activity::send)
      sent.push_back(slice.message);
    else if (slice.activity == Activity::receive || slice.activity == Activity::arrival)
      arrived.push_back(slice.message);
  std::ranges::sort(sent);
  std::ranges::sort(arrived);
  std::ranges::set_intersection(sent, arrived, std::back_inserter(arrows_));
}

std::string limits_text(const Timeline& timeline) {
  std::string text;
  const auto tell = [&](Timeline::Coverage coverage, std::string_view what) {
    if (coverage.shown < coverage.all)
      text += fmt::format("{} {} busiest of {} {}", text.empty() ? "" : ",", coverage.shown, coverage.all, what);
  };
  tell(timeline.rank_coverage(), "ranks");
  tell(timeline.link_coverage(), "links");
  if (!text.empty())
    text = "only the" + text;
  if (const auto end = timeline.details_end())
    text +=
        fmt::format("{}{}", text.empty() ? "" : "; ", fmt::format("nothing after {:.3f} us", in_microseconds(*end)));
  if (!text.empty())
    text = fmt::format("more than {} events: {}; totals are of all", timeline.most_events(), text);
  return text;
}

} // namespace kakehashi
