#include "kakehashi/run.hpp"

#include "engine/flow/network.hpp"
#include "engine/mpi/simulation.hpp"
#include "library/fault.hpp"
#include "library/rank_driver.hpp"

#include <algorithm>
#include <deque>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kakehashi::api {
namespace {

using kakehashi::Errors;
using kakehashi::Platform;

// Finds a name among others, or says which one may have been meant.
kakehashi::Error unknown(const Platform& platform, const std::string& what, const std::string& name,
                         const std::vector<std::string>& names) {
  return {ErrorKind::usage, platform.file, "",
          mismatch(fmt::format("{} \"{}\"", what, name), fmt::format("one of {}", fmt::join(names, ", "))),
          closest(name, names)};
}

const Fabric& fabric_of(const Machine& machine, const std::string& name) {
  const auto* fabric = find_fabric(*machine.platform(), name);
  if (!fabric)
    throw_faults({unknown(*machine.platform(), "fabric", name, machine.fabrics())});
  return *fabric;
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
    errors.push_back({ErrorKind::usage, platform.file, "", "got a placement without ranks, expected at least one", ""});
  if (!errors.empty())
    throw_faults(errors);
  return devices;
}

// All ranks, and which of them share a node; on a torus, where those are.
Group world_of(const Platform& platform, const std::vector<std::size_t>& devices) {
  std::vector<int> nodes;
  std::vector<NodePoint> points;
  for (const auto device : devices) {
    const auto& node = platform.devices[device].node;
    nodes.push_back(static_cast<int>(node.value_or(platform.nodes.size() + device)));
    if (platform.torus && node && *node < platform.torus->nodes())
      points.push_back(box_point(platform.torus->box(), *node));
  }
  if (points.size() != devices.size())
    points.clear();
  return make_world(nodes, points);
}

} // namespace

Run run(const Machine& machine, const std::string& fabric, const Placement& placement, const ProgramFunction& program,
        const RunOptions& options) {
  constexpr std::size_t few_devices = 64; // between which all routes are found at once, with all faults
  constexpr std::size_t few_ranks = 16;   // which cannot disturb one another for long
  const auto& platform = *machine.platform();
  const auto& protocol = fabric_of(machine, fabric);
  const auto devices = devices_of(machine, placement);
  if (!(options.tolerance >= 0 && options.tolerance <= 0.05))
    throw Error({fmt::format("tolerance: got {}, expected 0 to 0.05", options.tolerance)});
  Topology topology(platform);
  ChainTable chains(platform, topology, protocol, devices);
  if (chains.devices() <= few_devices)
    if (const auto errors = chains.find_all(); !errors.empty())
      throw_faults(errors);

  const int ranks = static_cast<int>(devices.size());
  const auto world = world_of(platform, devices);
  const auto library = make_library(platform.mpi);
  SharedState shared{kakehashi::CallOrder(ranks), nullptr};
  std::deque<RankDriver> drivers;
  const auto tick = devices.size() <= few_ranks ? fine_tick : coarse_tick;
  const auto network = options.engine == Engine::simgrid
                           ? make_simgrid_network(topology.channels(), 0, tick)
                           : make_fluid_network(topology.channels(), options.tolerance, 0, tick);
  Simulation simulation(*network, chains, ranks);
  for (int id = 0; id < ranks; ++id) {
    auto& rank = simulation.rank(id);
    auto& driver = drivers.emplace_back(rank, Communicator(rank, world, id, library), shared);
    simulation.set_program(id, driver.drive(program));
  }
  const auto ends = simulation.run();
  if (shared.thrown)
    std::rethrow_exception(shared.thrown);
  if (!ends)
    throw_faults(ends.errors());
  Run result;
  for (const auto end : *ends)
    result.ends.push_back({end.value});
  result.total = *std::ranges::max_element(result.ends);
  result.messages = simulation.messages();
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
