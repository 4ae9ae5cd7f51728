#include "workload/boss_worker.hpp"

namespace kakehashi {
namespace {

constexpr int request_tag = 1;
constexpr int work_tag = 2;
constexpr int end_tag = 3;

} // namespace

Program run_boss(Communicator world, const BossWorker& workload, std::vector<WorkTiming>& timings) {
  auto& rank = world.self();
  const int workers = world.size() - 1;
  const auto items = workload.items_per_worker * static_cast<std::size_t>(workers);
  for (const auto work_item : workload.work_items) {
    co_await barrier_dissemination(world, Call{});
    const auto start = rank.clock;
    std::size_t handed_out = 0;
    for (int ended = 0; ended < workers;) {
      co_await rank.receive(any_source, request_tag);
      const bool has_work = handed_out < items;
      handed_out += has_work;
      ended += !has_work;
      co_await rank.send(rank.received_from, workload.message, has_work ? work_tag : end_tag);
    }
    timings.push_back({work_item, items, rank.clock - start});
  }
}

Program run_worker(Communicator world, const BossWorker& workload, Seconds unit) {
  auto& rank = world.self();
  for (const auto work_item : workload.work_items) {
    co_await barrier_dissemination(world, Call{});
    for (;;) {
      co_await rank.send(0, workload.message, request_tag);
      co_await rank.receive(0, any_tag);
      if (rank.received_tag == end_tag)
        break;
      co_await rank.compute(static_cast<double>(work_item) * unit);
    }
  }
}

} // namespace kakehashi
