#include "result/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <utility>

namespace kakehashi {

std::optional<double> over_baseline(const Comparison& all, const ComparisonRow& row, std::size_t contender) {
  if (!all.baseline || row.times[*all.baseline].time.value <= 0)
    return std::nullopt;
  return row.times[contender].time / row.times[*all.baseline].time;
}

std::vector<std::size_t> as_fast(const ComparisonRow& row) {
  const auto best = row.times[row.winner].time;
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < row.times.size(); ++i)
    if (row.times[i].time <= (1 + row.tolerance) * best)
      found.push_back(i);
  return found;
}

std::vector<std::string> names_of(const Comparison& all, const std::vector<std::size_t>& contenders) {
  std::vector<std::string> names;
  for (const auto contender : contenders)
    names.push_back(all.contenders[contender]);
  return names;
}

std::string marked_name(const Comparison& all, std::size_t contender) {
  return all.contenders[contender] + (all.places[contender].is_hypothetical ? " (hypothetical)" : "");
}

std::string winner_text(const Comparison& all, const ComparisonRow& row) {
  std::vector<std::string> names;
  for (const auto contender : as_fast(row))
    names.push_back(marked_name(all, contender));
  return fmt::format("{}{}", names.size() > 1 ? "tie: " : "", fmt::join(names, ", "));
}

std::string size_text(const Comparison& all, std::uint64_t size) {
  return all.size_name == "bytes" ? to_text(Bytes{size}) : fmt::format("{} {}", all.size_name, size);
}

bool has_ties(const Comparison& comparison) {
  return std::ranges::any_of(comparison.rows, [](const ComparisonRow& row) { return as_fast(row).size() > 1; });
}

namespace {

void add_up(CallLine& into, const CallLine& line) {
  into.calls += line.calls;
  into.bytes += line.bytes;
  into.time += line.time;
}

ComparedCalls& row_of(std::vector<ComparedCalls>& rows, const std::string& region, const CallLine& line) {
  const auto found = std::ranges::find_if(rows, [&](const ComparedCalls& row) {
    return row.region == region && row.runs[0].call == line.call && row.runs[0].communicator == line.communicator;
  });
  if (found != rows.end())
    return *found;
  CallLine none;
  none.call = line.call;
  none.communicator = line.communicator;
  return rows.emplace_back(ComparedCalls{region, {none, none}});
}

// Sorts the largest change to the front.
template <class Row, class Time>
void sort(std::vector<Row>& rows, const std::array<RecordedRun, 2>& runs, const Time& time) {
  const auto change = [&](const Row& row) {
    const auto mean = [&](std::size_t run) { return time(row.runs[run]) / static_cast<double>(runs[run].ranks); };
    return std::abs(mean(1) - mean(0));
  };
  std::ranges::stable_sort(rows, std::greater{}, change);
}

void add_lines(const CallProfile& profile, std::size_t run, RecordingComparison& into) {
  for (const auto& line : profile.lines)
    add_up(row_of(into.calls, "", line).runs[run], line);
  for (const auto& site : profile.sites)
    add_up(row_of(into.in_region, site.region, site.calls).runs[run], site.calls);
  for (const auto& line : profile.regions) {
    auto row = std::ranges::find_if(into.regions,
                                    [&](const ComparedRegion& each) { return each.runs[0].region == line.region; });
    if (row == into.regions.end())
      row = into.regions.insert(row, {{RegionLine{line.region, {}, {}, {}}, RegionLine{line.region, {}, {}, {}}}});
    row->runs[run] = line;
  }
}

} // namespace

RecordingComparison compare(RecordedRun a, RecordedRun b) {
  RecordingComparison all{{std::move(a), std::move(b)}, {}, {}, {}};
  for (std::size_t run = 0; run < all.runs.size(); ++run)
    add_lines(all.runs[run].profile, run, all);
  if (all.regions.empty())
    all.in_region.clear();
  const auto time_of_call = [](const CallLine& line) { return line.time.value; };
  sort(all.calls, all.runs, time_of_call);
  sort(all.in_region, all.runs, time_of_call);
  sort(all.regions, all.runs, [](const RegionLine& line) { return (line.in_mpi + line.working).value; });
  return all;
}

Seconds mean_of(const std::vector<Seconds>& ranks) {
  Seconds sum;
  for (const auto time : ranks)
    sum += time;
  return ranks.empty() ? Seconds{} : (1 / static_cast<double>(ranks.size())) * sum;
}

Seconds longest_of(const CallProfile& profile) {
  Seconds longest;
  for (std::size_t rank = 0; rank < profile.in_mpi.size(); ++rank)
    longest = std::max(longest, profile.in_mpi[rank] + profile.working[rank]);
  return longest;
}

bool differ(const ComparedCalls& calls) {
  return calls.runs[0].calls != calls.runs[1].calls || calls.runs[0].bytes != calls.runs[1].bytes;
}

} // namespace kakehashi
