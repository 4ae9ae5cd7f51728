#include "study/run/engine_choice.hpp"

#include "engine/flow/network.hpp"
#include "workload/workload.hpp"

#include <algorithm>

namespace kakehashi {
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
  constexpr double message_bytes = 30; // of text: a short line to send and one to receive
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

// A message occupies two ranks. Messages of a boss follow each other.
double flows_of(const Scenario& scenario) {
  return std::holds_alternative<BossWorker>(scenario.workload) ? 1 : static_cast<double>(scenario.ranks.size()) / 2;
}

} // namespace

double simgrid_work_of(const Scenario& scenario, const Need& need) {
  return flows_of(scenario) *
         std::visit([&](const auto& workload) { return messages_of(workload, scenario, need); }, scenario.workload);
}

EngineKind engine_for(const Scenario& scenario, const Need& need, EngineKind wished) {
  if (wished != EngineKind::automatic)
    return wished;
  return simgrid_work_of(scenario, need) <= simgrid_work && load_simgrid() ? EngineKind::simgrid : EngineKind::fluid;
}

} // namespace kakehashi
