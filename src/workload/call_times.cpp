#include "workload/call_times.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

namespace kakehashi {
namespace {

using namespace std::string_view_literals;

constexpr auto nonblocking_names = [] {
  constexpr std::size_t longest = 20;
  std::array<std::array<char, longest>, collective_count> names{};
  for (std::size_t i = 0; i < collective_count; ++i) {
    names[i][0] = 'i';
    std::copy(collective_names[i].begin(), collective_names[i].end(), names[i].begin() + 1);
  }
  return names;
}();

} // namespace

ProfiledCall profiled(const CollectiveEvent& call) {
  const auto index = static_cast<std::size_t>(call.collective);
  const auto bytes = std::accumulate(call.sizes.begin(), call.sizes.end(), call.size.count);
  return {call.blocking ? collective_names[index] : std::string_view(nonblocking_names[index].data()),
          call.communicator, true, bytes};
}

ProfiledCall profiled(const TraceEvent& event) {
  const auto& what = event.what;
  if (const auto* send = std::get_if<SendEvent>(&what))
    return {send->is_buffered ? "bsend"sv : send->blocking ? "send"sv : "isend"sv, 0, false, send->size.count};
  if (const auto* receive = std::get_if<ReceiveEvent>(&what))
    return {receive->blocking ? "recv"sv : "irecv"sv, 0, false, 0};
  if (const auto* both = std::get_if<SendReceiveEvent>(&what))
    return {"sendrecv", 0, false, both->send.size.count};
  if (const auto* call = std::get_if<CollectiveEvent>(&what))
    return profiled(*call);
  if (std::holds_alternative<WaitAllEvent>(what))
    return {"waitall", 0, false, 0};
  if (std::holds_alternative<WaitAnyEvent>(what))
    return {"waitany", 0, false, 0};
  if (std::holds_alternative<TestEvent>(what))
    return {"test", 0, false, 0};
  if (const auto* remote = std::get_if<RemoteEvent>(&what))
    return {remote->is_read ? "get"sv : "put"sv, 0, false, remote->size.count};
  if (std::holds_alternative<CompleteEvent>(what) || std::holds_alternative<WaitEvent>(what) ||
      std::holds_alternative<WaitCollectiveEvent>(what))
    return {"wait", 0, false, 0};
  return {};
}

std::uint32_t CallTimes::place_of(int rank, const ProfiledCall& call, std::string_view site, std::string_view region) {
  const bool is_work = call.name.empty();
  const Key key{is_work ? nullptr : call.name.data(), call.communicator, is_work ? nullptr : site.data(),
                region.data()};
  auto& [places, last] = ranks_[static_cast<std::size_t>(rank)];
  if (!places.empty() && places[places[last].next].key == key) {
    last = places[last].next;
    return places[last].number;
  }
  auto found = std::ranges::lower_bound(places, key, {}, &Place::key);
  if (found == places.end() || found->key != key) {
    entries_.push_back({static_cast<std::size_t>(rank), call, std::string(is_work ? "" : site), std::string(region)});
    found = places.insert(found, {key, {}, static_cast<std::uint32_t>(entries_.size())});
  }
  const auto place = static_cast<std::size_t>(found - places.begin());
  places[last].next = static_cast<std::uint32_t>(place);
  last = place;
  return found->number;
}

void CallTimes::add(int rank, const ProfiledCall& call, Seconds time, Seconds recorded, std::string_view site,
                    std::string_view region) {
  place_of(rank, call, site, region);
  add(rank, call.bytes, time, recorded);
}

namespace {

// Sums up calls with a common name, one line each, in the order of their first calls. Ranks come one after the other.
class Lines {
public:
  // Adds calls to their line and returns its index. take() assigns lines their final numbers.
  std::size_t add(const std::string& common, const std::string& communicator, std::size_t rank, std::string_view call,
                  std::uint64_t calls, double bytes, Seconds time, Seconds recorded) {
    const auto [found, is_new] = places_.try_emplace({common, std::string(call), communicator}, sums_.size());
    if (is_new)
      sums_.push_back({CallLine{std::string(call), communicator, 0, 0, {}, {}, {}, 0, 0}, common, sums_.size()});
    auto& [line, name, place, last, of_last] = sums_[found->second];
    line.calls += calls;
    line.bytes += bytes;
    line.time += time;
    line.recorded += recorded;
    if (line.ranks == 0 || last != rank) {
      ++line.ranks;
      last = rank;
      of_last = {};
    }
    of_last += time;
    if (of_last > line.most) {
      line.most = of_last;
      line.slowest = static_cast<int>(rank);
    }
    return place;
  }

  struct Sum {
    CallLine line;
    std::string common;
    std::size_t place;
    std::size_t last = 0; // a rank
    Seconds of_last{};
  };
  // Returns the lines by time, longest first. `numbers` becomes the new number of each line.
  std::vector<Sum> take(std::vector<std::size_t>& numbers) {
    std::ranges::stable_sort(sums_, std::greater(), [](const Sum& sum) { return sum.line.time; });
    numbers.resize(sums_.size());
    for (std::size_t number = 0; number < sums_.size(); ++number)
      numbers[sums_[number].place] = number;
    return std::move(sums_);
  }

private:
  std::map<std::array<std::string, 3>, std::size_t> places_;
  std::vector<Sum> sums_;
};

// Joins the lines for work and for MPI of each region. Returns the new number of each line.
std::vector<std::size_t> join_regions(std::vector<Lines::Sum> sums, CallProfile& profile) {
  std::vector<std::size_t> numbers;
  for (auto& sum : sums) {
    auto line = std::ranges::find(profile.regions, sum.common, &RegionLine::region);
    if (line == profile.regions.end())
      line = profile.regions.insert(line, RegionLine{sum.common, {}, {}, {}});
    (sum.line.call.empty() ? line->working : line->in_mpi) += sum.line.time;
    line->recorded += sum.line.recorded;
    numbers.push_back(static_cast<std::size_t>(line - profile.regions.begin()));
  }
  if (profile.regions.size() == 1 && profile.regions.front().region.empty())
    profile.regions.clear();
  return numbers;
}

} // namespace

CallProfile CallTimes::profile(const std::vector<std::string>& names) const {
  constexpr char between = '\0';
  CallProfile profile;
  profile.in_mpi.resize(ranks_.size());
  profile.working.resize(ranks_.size());
  profile.places.resize(entries_.size() + 1);
  Lines lines, sites, regions;
  std::vector<const Sums*> sums_of(entries_.size());
  for (const auto& rank : ranks_)
    for (const auto& place : rank.by_key)
      sums_of[place.number - 1] = &place.sums;
  std::vector<std::size_t> order(entries_.size()); // indices of entries, by rank
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t place) { return entries_[place].rank; });
  for (const auto index : order) {
    const auto& entry = entries_[index];
    auto& place = profile.places[index + 1];
    const bool is_work = entry.call.name.empty();
    const auto& sums = *sums_of[index];
    const auto recorded = is_work ? Seconds{} : sums.recorded;
    (is_work ? profile.working : profile.in_mpi)[entry.rank] += sums.time;
    const auto communicator = entry.call.is_collective ? names[entry.call.communicator] : std::string();
    const auto add = [&](Lines& to, const std::string& common, const std::string& in, std::string_view call) {
      return to.add(common, in, entry.rank, call, sums.calls, sums.bytes, sums.time, recorded);
    };
    place.region = add(regions, entry.region, "", is_work ? "" : "MPI");
    if (is_work)
      continue;
    profile.recorded += recorded;
    place.line = add(lines, "", communicator, entry.call.name);
    if (!entry.site.empty())
      place.site = add(sites, entry.region + between + entry.site, communicator, entry.call.name);
  }
  std::vector<std::size_t> line_numbers, site_numbers, region_numbers;
  for (auto& sum : lines.take(line_numbers))
    profile.lines.push_back(std::move(sum.line));
  for (auto& sum : sites.take(site_numbers)) {
    const auto at = sum.common.find(between);
    profile.sites.push_back({sum.common.substr(0, at), sum.common.substr(at + 1), std::move(sum.line)});
  }
  const auto joined = join_regions(regions.take(region_numbers), profile);
  const auto renumber = [](std::optional<std::size_t>& place, const std::vector<std::size_t>& numbers) {
    if (place)
      place = numbers[*place];
  };
  for (auto& place : profile.places) {
    renumber(place.line, line_numbers);
    renumber(place.site, site_numbers);
    renumber(place.region, region_numbers);
    renumber(place.region, joined);
    if (profile.regions.empty())
      place.region.reset();
  }
  return profile;
}

} // namespace kakehashi
