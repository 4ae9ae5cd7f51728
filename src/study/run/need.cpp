#include "study/run/scenario_run.hpp"

#include "engine/flow/network.hpp"
#include "workload/collective/registry.hpp"
#include "workload/dry_run.hpp"
#include "workload/workload.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace kakehashi {
namespace {

// Measured with --stats.
constexpr double program_bytes = 64e6;
constexpr double rank_bytes = 4096;   // its program, queues and place
constexpr double log_bytes = 256;     // bytes of each rank and size, in Iterations
constexpr double message_bytes = 200; // with its request, while it is under way
constexpr double device_bytes = 1000; // with its links
constexpr double message_seconds = 1.5e-6;

// Returns the number of messages that are under way at once.
double messages_at_once(const Benchmark& benchmark, const MpiSettings& mpi, double ranks) {
  const auto& kind = kind_of(benchmark);
  if (!kind.collective)
    return ranks * (kind.has_window ? benchmark.window : 1);
  const bool all_to_all = *kind.collective == Collective::alltoall || *kind.collective == Collective::alltoallv;
  const auto& named = mpi.algorithms[static_cast<std::size_t>(*kind.collective)];
  const bool is_linear = all_to_all && named && row_of(*named).name.starts_with("linear");
  return ranks * (is_linear ? ranks : all_to_all ? std::min(ranks, 64.0) : 1);
}

// Returns the messages of the smallest number of iterations that each size takes, with the warm-up.
std::vector<double> least_messages(const Benchmark& benchmark, const SharedPlace& place) {
  std::vector<double> messages;
  for (const auto size : benchmark.sizes) {
    auto one = benchmark;
    one.sizes = {size};
    const auto iterations = job_of(one, place).rows->progress().least;
    one.repetitions = 1;
    one.warm_up = 0;
    messages.push_back(iterations * count_sends(job_of(one, place), place->world.size(), true));
  }
  return messages;
}

std::string size_text(double bytes) {
  return bytes < 1e9 ? fmt::format("{:.0f} MB", bytes / 1e6) : fmt::format("{:.1f} GB", bytes / 1e9);
}

std::string time_text(Seconds time) {
  return time.value < 7200    ? fmt::format("{:.0f} s", time.value)
         : time.value < 360e3 ? fmt::format("{:.0f} hours", time.value / 3600)
                              : fmt::format("{:.0f} days", time.value / 86400);
}

} // namespace

Need need_of(const Scenario& scenario) {
  return need_of(scenario, make_place(*scenario.platform, scenario.ranks, scenario.mpi));
}

Need need_of(const Scenario& scenario, const SharedPlace& place) {
  const auto ranks = static_cast<double>(scenario.ranks.size());
  double bytes =
      program_bytes + rank_bytes * ranks + device_bytes * static_cast<double>(scenario.platform->devices.size());
  Need need;
  if (const auto* benchmark = std::get_if<Benchmark>(&scenario.workload); benchmark && !kind_of(*benchmark).gpu) {
    const auto sizes = static_cast<double>(benchmark->sizes.size());
    bytes += log_bytes * ranks * sizes + message_bytes * messages_at_once(*benchmark, scenario.mpi, ranks);
    for (const auto messages : least_messages(*benchmark, place)) {
      need.messages += messages;
      need.rows.push_back(Seconds{message_seconds * messages});
    }
  }
  need.memory = Bytes{static_cast<std::uint64_t>(bytes)};
  need.time = Seconds{message_seconds * need.messages};
  return need;
}

Errors check_need(const Scenario& scenario, const Need& need, Bytes most_memory) {
  const auto bytes = static_cast<double>(need.memory.count);
  const auto text = fmt::format("{} ranks need about {} of memory{}", scenario.ranks.size(), size_text(bytes),
                                need.time.value >= 1 ? fmt::format(" and {}", time_text(need.time)) : "");
  if (need.memory > most_memory)
    return {{ErrorKind::run, scenario.file, "/ranks",
             fmt::format("{}, more than the {} that --max-memory allows", text,
                         size_text(static_cast<double>(most_memory.count))),
             ""}};
  return {};
}

namespace {

// Ranks that do not wait for each other may repeat nothing before the last repetition. Others soon do.
double messages_of(const Benchmark& benchmark, const Scenario& scenario, const Need& need) {
  const auto edges = edges_of(scenario.workload, scenario.ranks.size());
  if (edges.empty())
    return need.messages;
  double iterations = 0;
  for (const auto size : benchmark.sizes)
    iterations += benchmark.repetitions ? *benchmark.repetitions : kind_of(benchmark).repetitions(size);
  return iterations * static_cast<double>(edges.size());
}

double messages_of(const StepProgram& program, const Scenario&, const Need&) {
  const auto sends = [](const Step& step) {
    return step.kind == Step::Kind::send || step.kind == Step::Kind::isend || step.kind == Step::Kind::sendrecv;
  };
  double messages = 0;
  for (const auto& steps : program.steps)
    messages += static_cast<double>(std::ranges::count_if(steps, sends));
  return messages;
}

// Each worker asks once for each work item and once more, and each request is answered.
double messages_of(const BossWorker& workload, const Scenario& scenario, const Need&) {
  return 2.0 * static_cast<double>(workload.work_items.size()) * static_cast<double>(workload.items_per_worker + 1) *
         static_cast<double>(scenario.ranks.size() - 1);
}

double messages_of(const Replay& replay, const Scenario&, const Need&) {
  constexpr double message_bytes = 30; // bytes of text: a short line to send and one to receive
  if (replay.source)
    return static_cast<double>(replay.source->bytes()) / message_bytes;
  double messages = 0;
  for (const auto& rank : replay.schedule->ranks)
    messages += static_cast<double>(std::ranges::count_if(rank.operations,
                                                          [](const ScheduledOperation& operation) {
                                                            return operation.kind == ScheduledOperation::Kind::send ||
                                                                   operation.kind == ScheduledOperation::Kind::put;
                                                          })) +
                2 * static_cast<double>(rank.collectives.size());
  return messages;
}

// Steps of training are not run message by message.
double messages_of(const Training&, const Scenario&, const Need&) {
  return 0;
}

// A message occupies two ranks. Messages of a boss follow each other.
double flows_of(const Scenario& scenario) {
  return std::holds_alternative<BossWorker>(scenario.workload) ? 1 : static_cast<double>(scenario.ranks.size()) / 2;
}

} // namespace

double simgrid_work_of(const Scenario& scenario, const Need& need) {
  return flows_of(scenario) *
         std::visit([&](const auto& workload) { return messages_of(workload, scenario, need); }, scenario.workload);
}

EngineOptions engine_for(const Scenario& scenario, const Need& need, EngineOptions wished) {
  if (wished.kind != EngineKind::automatic)
    return wished;
  const bool is_short = simgrid_work_of(scenario, need) <= simgrid_work;
  wished.kind = is_short && load_simgrid() ? EngineKind::simgrid : EngineKind::fluid;
  if (is_short && wished.kind == EngineKind::fluid)
    wished.tolerance = 0;
  return wished;
}

} // namespace kakehashi
