// Calls of NCCL or RCCL in a benchmark or a recording → what they take.
#include "gpu/times.hpp"
#include "study/run/run_parts.hpp"
#include "workload/benchmark/kind.hpp"
#include "workload/recorded_gpu_calls.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <functional>

namespace kakehashi {
namespace {

std::string name_of_library(const GpuSystem& system) {
  return fmt::format("{} {}", system.library->title, to_text(system.version));
}

// The calls of a communicator with how often its ranks make them, and the last of those that the libraries do not have.
struct CallsOfGroup {
  std::map<RecordedGpuCall, double> counts;
  std::optional<Collective> unknown;
};
CallsOfGroup calls_in(const Schedule& schedule, std::size_t communicator) {
  const auto& members = schedule.communicators[communicator].members;
  CallsOfGroup found;
  for (const int rank : members)
    for (const auto& event : schedule.ranks[static_cast<std::size_t>(rank)].collectives) {
      if (event.communicator != communicator)
        continue;
      if (const auto call = gpu_call_of(event, members.size()))
        found.counts[*call] += 1 / static_cast<double>(members.size());
      else
        found.unknown = event.collective;
    }
  return found;
}

// Adds the calls of GPUs to those of a run. Errors: the library would refuse one.
Errors add_calls(const GpuCollectives& gpus, const CallsOfGroup& found, GpuCalls& calls) {
  std::vector<GpuTime> times;
  for (const auto& [call, count] : found.counts) {
    auto time = gpus.time(call.operation, call.size, {});
    if (!time)
      return time.errors();
    time->channel_bytes *= count;
    times.push_back(std::move(*time));
  }
  auto time = times.begin();
  for (const auto& [call, count] : found.counts)
    calls.recorded[call] = (time++)->time;
  const auto bytes = gpus.link_bytes(times);
  calls.link_bytes.resize(bytes.size());
  std::ranges::transform(bytes, calls.link_bytes, calls.link_bytes.begin(), std::plus());
  calls.library = name_of_library(gpus.system());
  return {};
}

} // namespace

Result<GpuCalls> gpu_calls(const Benchmark& benchmark, const Scenario& scenario, const Plan& plan) {
  const auto gpus = gpu_collectives(scenario.platform, plan.topology, scenario.ranks, benchmark.gpu);
  if (!gpus)
    return gpus.errors();
  const auto& system = (*gpus)->system();
  GpuCalls calls{{}, {}, name_of_library(system), system.notes, (*gpus)->link_limit()};
  for (const auto size : benchmark.sizes) {
    const auto call = (*gpus)->time(*kind_of(benchmark).gpu, size, benchmark.gpu);
    if (!call)
      return call.errors();
    calls.times.push_back(*call);
  }
  calls.link_bytes = (*gpus)->link_bytes(calls.times);
  return calls;
}

GpuCalls gpu_calls(const Replay& replay, const Scenario& scenario, const Plan& plan) {
  GpuCalls calls;
  if (!replay.schedule || !replay.takes_gpu_library)
    return calls;
  for (std::size_t i = 0; i < replay.schedule->communicators.size(); ++i) {
    const auto found = calls_in(*replay.schedule, i);
    std::vector<std::size_t> devices;
    for (const int rank : replay.schedule->communicators[i].members)
      devices.push_back(scenario.ranks[static_cast<std::size_t>(rank)]);
    const auto is_gpu = [&](std::size_t device) { return scenario.platform->devices[device].kind == DeviceKind::gpu; };
    if (devices.size() < 2 || !std::ranges::all_of(devices, is_gpu))
      continue;
    if (found.unknown)
      calls.refusal = fmt::format("NCCL and RCCL have no {}", row_of(*found.unknown).name);
    if (found.counts.empty())
      continue;
    const auto gpus = gpu_collectives(scenario.platform, plan.topology, devices);
    const auto faults = gpus ? add_calls(**gpus, found, calls) : gpus.errors();
    if (!faults.empty())
      calls.refusal = faults.front().message;
  }
  return calls;
}

} // namespace kakehashi
