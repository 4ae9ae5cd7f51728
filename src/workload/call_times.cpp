#include "workload/call_times.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace kakehashi {
namespace {

constexpr auto nonblocking_names = [] {
  constexpr std::size_t longest = 20;
  std::array<std::array<char, longest>, collective_count> names{};
  for (std::size_t i = 0; i < collective_count; ++i) {
    names[i][0] = 'i';
    std::copy(collective_names[i].begin(), collective_names[i].end(), names[i].begin() + 1);
  }
  return names;
}();

ProfiledCall collective(const CollectiveEvent& call) {
  const auto index = static_cast<std::size_t>(call.collective);
  const auto bytes = std::accumulate(call.sizes.begin(), call.sizes.end(), call.size.count);
  return {call.blocking ? collective_names[index] : std::string_view(nonblocking_names[index].data()),
          call.communicator, true, bytes};
}

} // namespace

ProfiledCall profiled(const TraceEvent& event) {
  const auto& what = event.what;
  if (const auto* send = std::get_if<SendEvent>(&what))
    return {send->is_buffered ? "bsend" : send->blocking ? "send" : "isend", 0, false, send->size.count};
  if (const auto* receive = std::get_if<ReceiveEvent>(&what))
    return {receive->blocking ? "recv" : "irecv", 0, false, 0};
  if (const auto* both = std::get_if<SendReceiveEvent>(&what))
    return {"sendrecv", 0, false, both->send.size.count};
  if (const auto* call = std::get_if<CollectiveEvent>(&what))
    return collective(*call);
  if (std::holds_alternative<WaitAllEvent>(what))
    return {"waitall", 0, false, 0};
  if (std::holds_alternative<WaitAnyEvent>(what))
    return {"waitany", 0, false, 0};
  if (std::holds_alternative<TestEvent>(what))
    return {"test", 0, false, 0};
  if (const auto* remote = std::get_if<RemoteEvent>(&what))
    return {remote->is_read ? "get" : "put", 0, false, remote->size.count};
  if (std::holds_alternative<CompleteEvent>(what) || std::holds_alternative<WaitEvent>(what) ||
      std::holds_alternative<WaitCollectiveEvent>(what))
    return {"wait", 0, false, 0};
  return {};
}

void CallTimes::add(int rank, const ProfiledCall& call, Seconds time, Seconds recorded, std::string_view site,
                    std::string_view region) {
  auto& calls = ranks_[static_cast<std::size_t>(rank)];
  const bool is_work = call.name.empty();
  (is_work ? calls.working : calls.in_mpi) += time;
  const Key key{is_work ? nullptr : call.name.data(), call.communicator, is_work ? nullptr : site.data(),
                region.data()};
  const auto [found, is_new] = calls.places.try_emplace(key, calls.entries.size());
  if (is_new)
    calls.entries.push_back({call, std::string(is_work ? "" : site), std::string(region), 0, 0, {}, {}});
  auto& entry = calls.entries[found->second];
  ++entry.calls;
  entry.bytes += static_cast<double>(call.bytes);
  entry.time += time;
  entry.recorded += recorded;
}

namespace {

// Lines of calls that have something in common, the first one of each first; ranks come one after the other.
class Lines {
public:
  void add(const std::string& common, const std::string& communicator, std::size_t rank, std::string_view call,
           std::uint64_t calls, double bytes, Seconds time, Seconds recorded) {
    const auto [found, is_new] = places_.try_emplace({common, std::string(call), communicator}, sums_.size());
    if (is_new)
      sums_.push_back({CallLine{std::string(call), communicator, 0, 0, {}, {}, {}, 0, 0}, common});
    auto& [line, name, last, of_last] = sums_[found->second];
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
  }

  struct Sum {
    CallLine line;
    std::string common;
    std::size_t last = 0; // rank
    Seconds of_last{};
  };
  std::vector<Sum> take() { // by time
    std::ranges::stable_sort(sums_, std::greater(), [](const Sum& sum) { return sum.line.time; });
    return std::move(sums_);
  }

private:
  std::map<std::array<std::string, 3>, std::size_t> places_;
  std::vector<Sum> sums_;
};

} // namespace

CallProfile CallTimes::profile(const std::vector<std::string>& names) const {
  constexpr char between = '\0';
  CallProfile profile;
  Lines lines, sites, regions;
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
    profile.in_mpi.push_back(ranks_[rank].in_mpi);
    profile.working.push_back(ranks_[rank].working);
    for (const auto& entry : ranks_[rank].entries) {
      const auto communicator = entry.call.is_collective ? names[entry.call.communicator] : std::string();
      const auto add = [&](Lines& to, const std::string& common, const std::string& in, std::string_view call) {
        to.add(common, in, rank, call, entry.calls, entry.bytes, entry.time, entry.recorded);
      };
      add(regions, entry.region, "", entry.call.name.empty() ? "" : "MPI");
      if (entry.call.name.empty())
        continue;
      profile.recorded += entry.recorded;
      add(lines, "", communicator, entry.call.name);
      if (!entry.site.empty())
        add(sites, entry.region + between + entry.site, communicator, entry.call.name);
    }
  }
  for (auto& sum : lines.take())
    profile.lines.push_back(std::move(sum.line));
  for (auto& sum : sites.take()) {
    const auto at = sum.common.find(between);
    profile.sites.push_back({sum.common.substr(0, at), sum.common.substr(at + 1), std::move(sum.line)});
  }
  for (auto& sum : regions.take()) {
    auto line = std::ranges::find(profile.regions, sum.common, &RegionLine::region);
    if (line == profile.regions.end())
      line = profile.regions.insert(line, RegionLine{sum.common, {}, {}, {}});
    (sum.line.call.empty() ? line->working : line->in_mpi) += sum.line.time;
    line->recorded += sum.line.recorded;
  }
  if (profile.regions.size() == 1 && profile.regions.front().region.empty())
    profile.regions.clear();
  return profile;
}

} // namespace kakehashi
