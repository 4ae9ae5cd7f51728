#include "input/growth/doubling_plan.hpp"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <numeric>

namespace kakehashi {
namespace {

class CommonReader {
public:
  explicit CommonReader(const RecordedSize& recording) : recording_(recording) {
    for (int rank = 0; rank < recording.ranks; ++rank)
      streams_.push_back(recording.source->open(rank));
    calls_.name = recording.name;
    calls_.source = recording.source;
    calls_.bits = std::countr_zero(static_cast<unsigned>(recording.ranks));
    calls_.works.assign(streams_.size(), 0);
  }

  Result<CommonCalls> read() {
    for (;;) {
      const auto* first = next_call(0);
      if (const auto& fault = streams_[0]->fault())
        return *fault;
      std::optional<CommonCall> call;
      if (first)
        call = call_of(*first);
      Partners partners(call ? call->ends.size() : 0);
      double bytes = 0;
      for (std::size_t rank = 0; rank < streams_.size(); ++rank) {
        const auto* event = rank == 0 ? first : next_call(rank);
        if (const auto& fault = streams_[rank]->fault())
          return *fault;
        if (!event != !call || (event && !add(*event, *call, partners, bytes)))
          return refused(fmt::format("its ranks do not make the same calls at once: ranks 0 and {} differ (record {})",
                                     rank, first ? first->line : event->line));
      }
      if (!call)
        break;
      if (const auto* collective = std::get_if<CollectiveEvent>(&first->what); collective && !collective->sizes.empty())
        return refused(
            fmt::format("it cannot be grown by doubling: record {} has a list of blocks for ranks", call->line));
      call->bytes = bytes / recording_.ranks;
      for (std::size_t end = 0; end < partners.size(); ++end)
        if (!partners[end].empty()) {
          const auto rule = rule_of(partners[end]);
          if (!rule)
            return refused(
                fmt::format("rank 0 calls rank {} (record {}), and whom the others call there does not follow "
                            "from bits of their numbers",
                            partners[end][0], call->line));
          call->ends[end].partner = rule;
        }
      calls_.calls.push_back(std::move(*call));
    }
    calls_.work = std::accumulate(calls_.works.begin(), calls_.works.end(), 0.0) / recording_.ranks;
    return std::move(calls_);
  }

private:
  using Partners = std::vector<std::vector<int>>; // the partners of each end, by rank

  Error refused(const std::string& why) const { return file_error(ErrorKind::input, recording_.name, why); }

  const TraceEvent* next_call(std::size_t rank) {
    while (const auto* event = streams_[rank]->next()) {
      if (!parts_of(*event).empty())
        return event;
      calls_.works[rank] += work_of(*event);
    }
    return nullptr;
  }
  static CommonCall call_of(const TraceEvent& event) {
    CommonCall call;
    call.kind = event.what.index();
    call.line = event.line;
    call.is_remote = std::holds_alternative<RemoteEvent>(event.what);
    if (const auto* collective = std::get_if<CollectiveEvent>(&event.what)) {
      call.collective = collective->collective;
      call.root = collective->root;
      call.context = collective->communicator;
      return call;
    }
    for (const auto& part : parts_of(event)) {
      call.context = part.context;
      call.ends.push_back({part.tag, part.is_message, {}});
    }
    return call;
  }
  // Adds a rank's call; false if it is not the same call.
  static bool add(const TraceEvent& event, const CommonCall& call, Partners& partners, double& bytes) {
    const auto own = call_of(event);
    if (!own.is_like(call))
      return false;
    const auto parts = parts_of(event);
    for (const auto& part : parts)
      bytes += static_cast<double>(part.bytes);
    for (std::size_t end = 0; end < call.ends.size(); ++end) {
      if (own.ends[end].tag != call.ends[end].tag)
        return false;
      if (parts[end].peer)
        partners[end].push_back(*parts[end].peer);
    }
    return true;
  }
  std::optional<unsigned> rule_of(const std::vector<int>& partners) {
    if (const auto found = known_.find(partners); found != known_.end())
      return found->second;
    auto rule = partners.size() == streams_.size() ? bit_partner_of(partners) : std::nullopt;
    if (rule) {
      const auto number = static_cast<unsigned>(calls_.partners.size());
      known_[partners] = number;
      calls_.partners.push_back(std::move(*rule));
      return number;
    }
    return std::nullopt;
  }

  const RecordedSize& recording_;
  std::vector<std::unique_ptr<EventStream>> streams_;
  std::map<std::vector<int>, unsigned> known_;
  CommonCalls calls_;
};

} // namespace

bool CommonCall::is_like(const CommonCall& other) const {
  return kind == other.kind && collective == other.collective && root == other.root && context == other.context &&
         ends.size() == other.ends.size();
}

Result<CommonCalls> common_calls_of(const RecordedSize& recording) {
  if (!std::has_single_bit(static_cast<unsigned>(recording.ranks)) || recording.ranks < 2)
    return file_error(ErrorKind::input, recording.name,
                      fmt::format("it cannot be grown by doubling: {} ranks are no power of two", recording.ranks));
  for (const auto& group : recording.source->communicators())
    if (static_cast<int>(group.members.size()) != recording.ranks || !std::ranges::is_sorted(group.members))
      return file_error(
          ErrorKind::input, recording.name,
          fmt::format("it cannot be grown by doubling: communicator {} is not of all ranks in their order",
                      group.name));
  return CommonReader(recording).read();
}

} // namespace kakehashi
