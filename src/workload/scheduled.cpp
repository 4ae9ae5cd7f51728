#include "workload/scheduled.hpp"

#include <algorithm>
#include <deque>

namespace kakehashi {
namespace {

// Which operations of a rank may start.
class Progress {
public:
  explicit Progress(const RankSchedule& schedule) : schedule_(schedule), open_(schedule.operations.size()) {
    for (const auto& dependency : schedule.dependencies)
      ++open_[dependency.after];
    for (std::uint32_t i = 0; i < open_.size(); ++i)
      if (open_[i] == 0)
        make_ready(i);
  }

  // The next one to start; nothing if all that are left have to wait.
  std::optional<std::uint32_t> next() {
    auto& queue = receives_.empty() ? others_ : receives_;
    if (queue.empty())
      return std::nullopt;
    const auto operation = queue.front();
    queue.pop_front();
    return operation;
  }
  void started(std::uint32_t operation) { release(operation, true); }
  void ended(std::uint32_t operation) { release(operation, false); }

private:
  void make_ready(std::uint32_t operation) {
    const bool is_receive = schedule_.operations[operation].kind == ScheduledOperation::Kind::receive;
    (is_receive ? receives_ : others_).push_back(operation);
  }
  void release(std::uint32_t operation, bool on_start) {
    const auto& all = schedule_.dependencies;
    for (auto at = std::ranges::lower_bound(all, operation, {}, &Dependency::before);
         at != all.end() && at->before == operation; ++at)
      if (at->on_start == on_start && --open_[at->after] == 0)
        make_ready(at->after);
  }

  const RankSchedule& schedule_;
  std::vector<std::uint32_t> open_; // dependencies of each operation that it still waits for
  std::deque<std::uint32_t> receives_;
  std::deque<std::uint32_t> others_;
};

struct Started {
  Request request;
  std::uint32_t operation;
};

} // namespace

Program run_scheduled(Rank& rank, const Schedule& schedule, double slowdown) {
  const auto& mine = schedule.ranks[static_cast<std::size_t>(rank.id)];
  Progress progress(mine);
  std::vector<Started> open;
  const auto place_of = [&open](Request request) {
    return std::ranges::find(open, request.index, [](const Started& each) { return each.request.index; });
  };
  rank.place.file = &schedule.file;
  rank.line_of = [&](Request request) {
    const auto found = place_of(request);
    return found == open.end() ? 0 : mine.operations[found->operation].line;
  };
  for (;;) {
    if (const auto next = progress.next()) {
      const auto& operation = mine.operations[*next];
      rank.place.line = operation.line;
      progress.started(*next);
      if (operation.kind == ScheduledOperation::Kind::work) {
        co_await rank.compute(slowdown * operation.time);
        progress.ended(*next);
      } else if (operation.kind == ScheduledOperation::Kind::send) {
        const auto request = co_await rank.isend(*operation.peer, operation.size, operation.tag.value_or(0));
        open.push_back({request, *next});
      } else {
        const auto request =
            co_await rank.ireceive(operation.peer.value_or(any_source), operation.tag.value_or(any_tag));
        open.push_back({request, *next});
      }
      continue;
    }
    if (open.empty())
      co_return;
    std::vector<Request> requests;
    for (const auto& each : open)
      requests.push_back(each.request);
    const auto ended = co_await rank.wait_any(std::move(requests));
    const auto found = place_of(ended);
    const auto operation = found->operation;
    open.erase(found);
    progress.ended(operation);
  }
}

} // namespace kakehashi
