#include "engine/run.hpp"

#include "base/interrupt.hpp"
#include "engine/flow/network.hpp"
#include "engine/mpi/simulation.hpp"
#include "engine/record/recorder.hpp"
#include "model/platform.hpp"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>

namespace kakehashi {
namespace {

// Ends a run from inside the network.
struct Stopped {};

Result<std::vector<Seconds>> run_until_stopped(Simulation& simulation) {
  try {
    return simulation.run();
  } catch (const Stopped&) {
    return interrupted();
  }
}

std::optional<Error> fault_of(const Lane& lane, const Platform& platform, const std::vector<std::size_t>& devices) {
  if (lane.fabric && !lane.fabric->empty() && !find_fabric(platform, *lane.fabric)) {
    auto error = unknown_fabric(platform, *lane.fabric);
    error.place = lane.stated_at;
    return error;
  }
  if (lane.place != LanePlace::named)
    return std::nullopt;
  const auto lost =
      std::ranges::find_if(devices, [&](std::size_t device) { return !named_near(platform, device, lane.device); });
  if (lost == devices.end())
    return std::nullopt;
  return input_error(platform.file, "",
                     fmt::format("there is no device \"{}\" in the node of \"{}\", for the lane \"{}\"", lane.device,
                                 platform.devices[*lost].name, lane.name));
}

std::size_t routes_in(const WayTable& ways) {
  std::size_t routes = 0;
  for (const auto& way : ways.all())
    routes += way.stages.size();
  return routes;
}

} // namespace

Result<Plan> plan(std::shared_ptr<const Platform> platform, const std::string& fabric,
                  const std::vector<std::size_t>& devices, const Lanes& lanes, CoreOrder order) {
  constexpr std::size_t few = 64; // devices
  const auto* found = find_fabric(*platform, fabric);
  if (!found)
    return unknown_fabric(*platform, fabric);
  for (const auto& lane : lanes)
    if (auto error = lane.is_open ? fault_of(lane, *platform, devices) : std::nullopt)
      return *error;
  Plan plan{platform, std::make_shared<Topology>(*platform), nullptr, devices.size(), false};
  plan.ways = std::make_shared<WayTable>(*platform, *plan.topology, *found, devices, lanes, order);
  if (plan.ways->devices() <= few)
    if (auto errors = plan.ways->find_all(); !errors.empty())
      return errors;
  return plan;
}

std::string engine_text(const EngineOptions& options, const Shift* shift, std::size_t ranks) {
  auto name = options.kind == EngineKind::fluid ? fluid_name(options.tolerance) : simgrid_name();
  if (options.noise.value_or(0) > 0)
    name += fmt::format(", noise {:.3g} %", 100 * *options.noise);
  return shift ? fmt::format("{}, {} ranks for {} in step", name, shift->ranks, ranks) : name;
}

bool may_shift(const EngineOptions& options, const Recording* recording) {
  const bool shows_each_rank = recording && (recording->timeline || recording->keep_steps);
  return options.kind == EngineKind::fluid && !options.whole && options.seed == 0 && options.noise.value_or(0) == 0 &&
         !shows_each_rank;
}

Result<JobRun> run(const Job& job, const Shift* shift, const Plan& plan, const EngineOptions& options,
                   Recording* recording, const RunWatch* watch) {
  assert(options.kind != EngineKind::automatic);
  constexpr std::size_t few_ranks = 16; // which can't disturb one another for long
  const auto ranks = shift ? shift->ranks : static_cast<int>(plan.ranks);
  const int images = shift ? shift->images : 1;
  const auto& channels = plan.topology->channels();
  const auto tick = plan.ranks <= few_ranks ? fine_tick : coarse_tick;
  const auto network = options.kind == EngineKind::fluid
                           ? make_fluid_network(channels, options.tolerance, options.seed, tick, images)
                           : make_simgrid_network(channels, options.seed, tick);
  std::optional<Recorder> recorder;
  if (recording) {
    recording->clear();
    recorder.emplace(*recording, *network, *plan.ways, ranks, shift, Recorder::causes_for(*recording, ranks));
  }
  Simulation simulation(
      {.network = *network,
       .ways = *plan.ways,
       .ranks = static_cast<int>(plan.ranks),
       .shift = shift,
       .recorder = recorder ? &*recorder : nullptr,
       .seed = options.seed,
       .noise = options.noise.value_or(0),
       .is_ideal = plan.is_ideal,
       .skips_rounds = job.has_one_call_at_a_time && may_shift(options, recording) && options.tolerance > 0,
       .may_get_stuck = job.may_get_stuck,
       .answers_in_calls = job.answers_inside_calls,
       .in_node = job.in_node,
       .work_time = job.work_time});
  for (int id = 0; id < ranks; ++id)
    simulation.set_program(id, job.program(simulation.rank(id)));
  if (watch)
    simulation.watch_operations(watch->begins);
  if (watch && watch->messages > 0)
    simulation.watch_ends(std::max<std::size_t>(1, watch->messages / static_cast<std::size_t>(images)),
                          [&](Seconds now) {
                            if (!watch->reaches(now))
                              throw Stopped{};
                          });
  if (watch && watch->goes_on)
    network->on_beat([&] {
      if (!watch->goes_on(job.rows ? job.rows->progress() : JobProgress{}, simulation.messages()))
        throw Stopped{};
    });
  auto ends = run_until_stopped(simulation);
  if (!ends)
    return ends.errors();
  if (recorder)
    recorder->finish();
  for (auto rank = ends->size(); rank < plan.ranks; ++rank)
    ends->push_back((*ends)[static_cast<std::size_t>(shift->home(static_cast<int>(rank)))]);
  JobRun done{{std::move(*ends), simulation.duration(), simulation.messages() * static_cast<std::size_t>(images),
               simulation.stuck(), simulation.requests_at_work()},
              {},
              engine_text(options, shift, plan.ranks),
              {simulation.events(), network->solves(), routes_in(*plan.ways), simulation.most_connections()},
              simulation.rounds() ? simulation.rounds()->left_out() : 0};
  done.table = job.table(done.end);
  return done;
}

} // namespace kakehashi
