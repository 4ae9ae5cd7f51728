#include "kakehashi/run.hpp"

#include "engine/run.hpp"
#include "library/rank_driver.hpp"

#include <algorithm>
#include <deque>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kakehashi::api {
namespace {

using kakehashi::Errors;
using kakehashi::Platform;

// The error of an unknown name; it suggests a similar one.
kakehashi::Error unknown(const Platform& platform, const std::string& what, const std::string& name,
                         const std::vector<std::string>& names) {
  return {ErrorKind::usage, platform.file, "",
          mismatch(fmt::format("{} \"{}\"", what, name), fmt::format("one of {}", fmt::join(names, ", "))),
          closest(name, names)};
}

std::vector<std::size_t> devices_of(const Machine& machine, const Placement& placement) {
  const auto& platform = *machine.platform();
  Errors errors;
  std::vector<std::size_t> devices;
  for (const auto& name : placement) {
    const auto device = find_device(platform, name);
    if (device && can_run_ranks(platform.devices[*device].kind))
      devices.push_back(*device);
    else
      errors.push_back(unknown(platform, "device", name, machine.devices()));
  }
  if (placement.empty())
    errors.push_back(
        file_error(ErrorKind::usage, platform.file, "got a placement without ranks, expected at least one"));
  if (!errors.empty())
    throw_faults(errors);
  return devices;
}

// State that all ranks of a run share.
struct Shared {
  SharedPlace place;
  ProgramFunction program;
  SharedState state;
  std::deque<RankDriver> drivers;
};

Job job_of(const std::shared_ptr<Shared>& shared) {
  Job job;
  job.program = [shared](kakehashi::Rank& rank) {
    const Communicator world(rank, shared->place->world, rank.id, shared->place->library);
    return shared->drivers.emplace_back(rank, world, shared->state).drive(shared->program);
  };
  job.table = [shared](const JobEnd& end) { return table_of_ends("program", shared->place->devices, end.finish); };
  job.in_node = in_node_of(shared->place->library);
  job.answers_inside_calls = shared->place->library.progress == MpiProgress::inside_calls;
  return job;
}

} // namespace

Run run(const Machine& machine, const std::string& fabric, const Placement& placement, const ProgramFunction& program,
        const RunOptions& options) {
  const auto devices = devices_of(machine, placement);
  if (!(options.tolerance >= 0 && options.tolerance <= 0.05))
    throw Error({fmt::format("tolerance: got {}, expected 0 to 0.05", options.tolerance)});
  const auto& platform = *machine.platform();
  const auto planned = plan(machine.platform(), fabric, devices, lanes_of(platform, devices, platform.mpi));
  if (!planned)
    throw_faults(planned.errors());
  const auto shared = std::make_shared<Shared>(Shared{make_place(platform, devices, platform.mpi),
                                                      program,
                                                      {kakehashi::CallOrder(static_cast<int>(devices.size())), nullptr},
                                                      {}});
  const auto kind = options.engine == Engine::simgrid ? EngineKind::simgrid : EngineKind::fluid;
  const auto done = kakehashi::run(job_of(shared), nullptr, *planned, {kind, options.tolerance});
  if (shared->state.thrown)
    std::rethrow_exception(shared->state.thrown);
  if (!done)
    throw_faults(done.errors());
  const auto& end = done->end;
  Run result;
  for (const auto finish : end.finish)
    result.ends.push_back({finish.value});
  result.total = *std::ranges::max_element(result.ends);
  result.messages = end.messages;
  return result;
}

std::vector<Candidate> sweep(const Machine& machine, const std::string& fabric,
                             const std::vector<Placement>& placements, const ProgramFunction& program,
                             const RunOptions& options) {
  std::vector<Candidate> candidates;
  for (const auto& placement : placements)
    candidates.push_back({placement, run(machine, fabric, placement, program, options)});
  std::ranges::stable_sort(candidates, {}, [](const Candidate& candidate) { return candidate.run.total; });
  return candidates;
}

} // namespace kakehashi::api
