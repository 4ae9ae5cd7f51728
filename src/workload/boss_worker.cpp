// Boss and workers as a job: workers ask for a work item, compute it and report by asking for the next one.
#include "workload/collective/collective.hpp"
#include "workload/side_programs.hpp"
#include "workload/workload.hpp"

namespace kakehashi {
namespace {

constexpr int request_tag = 1;
constexpr int work_tag = 2;
constexpr int end_tag = 3;

// For one size of work item: how many were done, and the time from the boss's first message to its last.
struct WorkTiming {
  std::uint64_t work_item = 0;
  std::size_t items = 0;
  Seconds time;
};

// State that all ranks of a run share.
struct SharedWork {
  BossWorker workload;
  SharedPlace place;
  std::vector<WorkTiming> timings;
};

// The program of rank 0, which fills the timings.
Program run_boss(Communicator world, const BossWorker& workload, std::vector<WorkTiming>& timings) {
  auto& rank = world.self();
  const int workers = world.size() - 1;
  const auto items = workload.items_per_worker * static_cast<std::size_t>(workers);
  for (const auto work_item : workload.work_items) {
    co_await barrier_dissemination(world, Call{});
    const auto start = rank.clock;
    std::size_t handed_out = 0;
    for (int ended = 0; ended < workers;) {
      const auto asked = co_await rank.receive(any_source, request_tag);
      const bool has_work = handed_out < items;
      handed_out += has_work;
      ended += !has_work;
      co_await rank.send(asked.from, workload.message, has_work ? work_tag : end_tag);
    }
    timings.push_back({work_item, items, rank.clock - start});
  }
}

// The program of the other ranks; `unit` is the time of a work item of size 1.
Program run_worker(Communicator world, const BossWorker& workload, Seconds unit) {
  auto& rank = world.self();
  for (const auto work_item : workload.work_items) {
    co_await barrier_dissemination(world, Call{});
    for (;;) {
      co_await rank.send(0, workload.message, request_tag);
      const auto answer = co_await rank.receive(0, any_tag);
      if (answer.tag == end_tag)
        break;
      co_await work(rank, static_cast<double>(work_item) * unit, world.library().progress);
    }
  }
}

Table table_of(const std::vector<WorkTiming>& timings) {
  Table table;
  table.title = "boss-worker";
  table.columns = {{"work_item", "", "size of a work item"},
                   {"items", "", "work items that were done"},
                   {"time_us", "us", "from the boss's first message to its last"},
                   {"items_per_s", "items/s", "work items done in a second"}};
  table.text = {{}, {{"Work item", 0, 12, 0, true}, {"items", 1, 10}, {"time (us)", 2, 16, 3}, {"items/s", 3, 16, 1}}};
  table.size_name = "work item";
  table.rate_name = "items/s";
  for (const auto& timing : timings) {
    Figures figures;
    figures.size = timing.work_item;
    figures.t_min = figures.t_max = figures.t_avg = timing.time;
    figures.rate = static_cast<double>(timing.items) / timing.time.value;
    figures.cost = (1.0 / static_cast<double>(timing.items)) * timing.time;
    table.rows.push_back({timing.work_item, std::uint64_t{timing.items}, in_microseconds(timing.time), figures.rate});
    table.figures.push_back(figures);
  }
  return table;
}

} // namespace

Job job_of(const BossWorker& workload, SharedPlace place) {
  const auto shared = std::make_shared<SharedWork>(SharedWork{workload, std::move(place), {}});
  Job job;
  job.program = [shared](Rank& rank) {
    const Communicator world(rank, shared->place->world, rank.id, shared->place->library);
    const auto kind = shared->place->kinds[static_cast<std::size_t>(rank.id)];
    return rank.id == 0 ? run_boss(world, shared->workload, shared->timings)
                        : run_worker(world, shared->workload, of_kind(shared->workload.compute, kind));
  };
  job.rows = RowsInTurn{[shared] {
                          return JobProgress{shared->timings.size(), shared->workload.work_items.size(), 0, 0};
                        },
                        [shared] { return table_of(shared->timings); }};
  job.table = [shared](const JobEnd&) { return table_of(shared->timings); };
  return job;
}

} // namespace kakehashi
