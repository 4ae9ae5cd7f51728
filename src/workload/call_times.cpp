#include "workload/call_times.hpp"

#include <algorithm>
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

void CallTimes::add(int rank, const ProfiledCall& call, Seconds time, Seconds recorded) {
  auto& calls = ranks_[static_cast<std::size_t>(rank)];
  if (call.name.empty()) {
    calls.working += time;
    return;
  }
  calls.in_mpi += time;
  auto found = std::ranges::find_if(calls.entries, [&](const Entry& entry) {
    return entry.call.name == call.name && entry.call.communicator == call.communicator;
  });
  if (found == calls.entries.end())
    found = calls.entries.insert(found, {call, 0, 0, {}, {}});
  ++found->calls;
  found->bytes += static_cast<double>(call.bytes);
  found->time += time;
  found->recorded += recorded;
}

CallProfile CallTimes::profile(const std::vector<std::string>& names) const {
  CallProfile profile;
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
    profile.in_mpi.push_back(ranks_[rank].in_mpi);
    profile.working.push_back(ranks_[rank].working);
    for (const auto& entry : ranks_[rank].entries) {
      const auto communicator = entry.call.is_collective ? names[entry.call.communicator] : std::string();
      auto line = std::ranges::find_if(profile.lines, [&](const CallLine& each) {
        return each.call == entry.call.name && each.communicator == communicator;
      });
      if (line == profile.lines.end())
        line = profile.lines.insert(line, CallLine{std::string(entry.call.name), communicator, 0, 0, {}, {}, {}, 0, 0});
      line->calls += entry.calls;
      line->bytes += entry.bytes;
      line->time += entry.time;
      line->recorded += entry.recorded;
      profile.recorded += entry.recorded;
      ++line->ranks;
      if (entry.time > line->most) {
        line->most = entry.time;
        line->slowest = static_cast<int>(rank);
      }
    }
  }
  std::ranges::stable_sort(profile.lines, std::greater(), &CallLine::time);
  return profile;
}

} // namespace kakehashi
