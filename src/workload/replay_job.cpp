// A recorded application, or a schedule, as a job.
#include "workload/call_order.hpp"
#include "workload/replay.hpp"
#include "workload/scheduled.hpp"
#include "workload/workload.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace kakehashi {
namespace {

// State that all ranks of a run share.
struct ReplayRun {
  Replay replay;
  SharedPlace place;
  std::optional<ReplayWorld> world; // none: a schedule without collective calls
};

ReplayWorld replay_world_of(const JobPlace& place, const std::vector<RankGroup>& communicators) {
  auto world = make_replay_world(place.library, place.devices.size());
  add_communicator(world, make_world(place.nodes, place.points, place.memories), "");
  for (std::size_t i = 1; i < communicators.size(); ++i)
    add_communicator(world, make_group(communicators[i].members, place.nodes, place.points, place.memories),
                     communicators[i].name);
  return world;
}

Program program_of(ReplayRun& shared, Rank& rank) {
  const auto& replay = shared.replay;
  const auto kind = shared.place->kinds[static_cast<std::size_t>(rank.id)];
  const ReplaySpeed speed{of_kind(replay.speed, kind), of_kind(replay.slowdown, kind)};
  return replay.source
             ? run_replay(rank, *shared.world, replay.source->open(rank.id), speed)
             : run_scheduled(rank, *replay.schedule, speed, {replay.sends_in_turn, replay.first_collective_tag},
                             shared.world ? &*shared.world : nullptr);
}

// How calls between GPUs run, which are NCCL's or those of a library like it.
void add_calls_note(const ReplayRun& shared, Table& table) {
  const bool has_gpus = std::ranges::find(shared.place->kinds, DeviceKind::gpu) != shared.place->kinds.end();
  const bool has_calls = std::ranges::any_of(shared.replay.schedule->ranks, [&](const RankSchedule& rank) {
    return std::ranges::any_of(rank.collectives, [&](const CollectiveEvent& call) {
      return shared.replay.schedule->communicators[call.communicator].members.size() > 1;
    });
  });
  const auto& calls = shared.place->gpu;
  if (!has_gpus || !has_calls)
    return;
  const auto text =
      calls.library.empty()
          ? fmt::format("the calls between GPUs take MPI's algorithms, one ring or tree of messages each{}",
                        calls.refusal.empty() ? "" : ": " + calls.refusal)
          : fmt::format("calls between GPUs are those of {}, each one piece of work that meets no other "
                        "traffic; \"calls\": \"mpi\" takes MPI's algorithms{}",
                        calls.library, calls.refusal.empty() ? "" : ", as some calls do here: " + calls.refusal);
  table.totals.push_back({{"remark", "", "how the calls run"}, text});
  table.text.notes.push_back(text);
}

Table table_of(const ReplayRun& shared, const JobEnd& end) {
  const auto& file = shared.replay.file;
  auto table = table_of_ends(
      fmt::format("replay of {}{}", text_of(shared.replay.part, file), shared.replay.grown_from ? ", grown" : ""),
      shared.place->devices, end.finish);
  table.totals = {{{"trace", "", "the file that was replayed"}, file},
                  {{"time_us", "us", "until the last rank ends"}, in_microseconds(end.duration)}};
  table.text.notes = {fmt::format("time {:.3f} us, {} messages", in_microseconds(end.duration), end.messages)};
  if (const auto* world = shared.world ? &*shared.world : nullptr; world && world->device_works > 0) {
    table.totals.push_back({{"gpu_us", "us", "work of the ranks' GPUs, of all"}, in_microseconds(world->device_time)});
    table.totals.push_back(
        {{"gpu_waiting_us", "us", "in which ranks wait for it"}, in_microseconds(world->device_waits)});
    table.text.notes.push_back(fmt::format("GPUs work for {:.3f} us in all (kernels, copies and fills: {}), and "
                                           "ranks wait for them for {:.3f} us",
                                           in_microseconds(world->device_time), world->device_works,
                                           in_microseconds(world->device_waits)));
  }
  if (end.stuck > 0)
    table.text.notes.push_back(fmt::format("the trace ends before the program: {} wait{} for what it lacks, until "
                                           "nothing moves any more",
                                           counted(end.stuck, "rank"), end.stuck == 1 ? "s" : ""));
  add_progress_note(shared.place->library, end.requests_at_work, shared.world ? shared.world->nonblocking_calls : 0,
                    table);
  if (shared.world && shared.world->reductions > 0 && shared.replay.source)
    add_gpu_note(*shared.place, table);
  table.shows_last_ranks = true;
  if (shared.world) {
    const auto& communicators =
        shared.replay.source ? shared.replay.source->communicators() : shared.replay.schedule->communicators;
    table.calls = shared.world->times.profile(communicator_names(communicators));
  }
  if (shared.world && !shared.replay.source) {
    table.calls->in_mpi.clear(); // beside work
    table.calls->working.clear();
    add_calls_note(shared, table);
  }
  return table;
}

} // namespace

Job job_of(const Replay& replay, SharedPlace place) {
  const auto shared = std::make_shared<ReplayRun>(ReplayRun{replay, std::move(place), std::nullopt});
  if (replay.source) {
    shared->world = replay_world_of(*shared->place, replay.source->communicators());
    shared->world->advice = replay.source->communicator_advice();
    shared->world->is_cut = replay.source->is_cut();
  } else if (!replay.schedule->communicators.empty()) {
    shared->world = replay_world_of(*shared->place, replay.schedule->communicators);
    for (auto* library : {&shared->world->library, &shared->world->without_reduction})
      library->gpu_reductions = GpuReductions::device; // NCCL and similar libraries add on the device
    if (!shared->place->gpu.library.empty())
      shared->world->gpus = &shared->place->gpu;
  }
  Job job;
  job.program = [shared](Rank& rank) { return program_of(*shared, rank); };
  job.may_get_stuck = replay.source && replay.source->is_cut();
  job.table = [shared](const JobEnd& end) { return table_of(*shared, end); };
  return job;
}

} // namespace kakehashi
