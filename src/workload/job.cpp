#include "workload/job.hpp"

#include "base/text.hpp"
#include "workload/collective/libraries.hpp"
#include "workload/collective/registry.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kakehashi {
namespace {

// A device outside any node counts as a node of its own.
std::vector<int> nodes_of(const Platform& platform, const std::vector<std::size_t>& devices) {
  std::vector<int> nodes;
  for (const auto device : devices)
    nodes.push_back(static_cast<int>(platform.devices[device].node.value_or(platform.nodes.size() + device)));
  return nodes;
}

// Empty if some node is in no Tofu network.
std::vector<NodePoint> points_of(const Platform& platform, const std::vector<std::size_t>& devices) {
  const auto& torus = platform.torus;
  std::vector<NodePoint> points;
  for (const auto device : devices) {
    const auto& node = platform.devices[device].node;
    if (!torus || !node || *node >= torus->nodes())
      return {};
    points.push_back(job_point(*torus, *node));
  }
  return points;
}

// CPUs of a node have one memory, and the cores of a card have its own. The library's flags are in no GPU's.
std::vector<int> memories_of(const Platform& platform, const std::vector<std::size_t>& devices,
                             const std::vector<int>& nodes) {
  std::vector<int> memories;
  for (std::size_t rank = 0; rank < devices.size(); ++rank) {
    const auto kind = platform.devices[devices[rank]].kind;
    const auto own = kind == DeviceKind::gpu ? platform.devices.size() + rank : devices[rank];
    memories.push_back(kind == DeviceKind::cpu ? nodes[rank] : -1 - static_cast<int>(own));
  }
  return memories;
}

} // namespace

SharedPlace make_place(const Platform& platform, const std::vector<std::size_t>& devices, const MpiSettings& mpi,
                       GpuCalls gpu) {
  auto place = std::make_shared<JobPlace>();
  place->gpu = std::move(gpu);
  place->nodes = nodes_of(platform, devices);
  place->points = points_of(platform, devices);
  place->memories = memories_of(platform, devices, place->nodes);
  place->world = make_world(place->nodes, place->points, place->memories);
  place->library = make_library(mpi);
  place->lanes = lanes_of(platform, devices, mpi);
  if (!place->lanes[host_lane].is_open)
    place->library.gpu_reductions = GpuReductions::device;
  for (const auto device : devices) {
    place->kinds.push_back(platform.devices[device].kind);
    place->devices.push_back(platform.devices[device].name);
  }
  return place;
}

Lanes lanes_of(const Platform& platform, const std::vector<std::size_t>& devices, const MpiSettings& mpi) {
  const auto library = make_library(mpi);
  auto lanes = usual_lanes();
  auto& host = lanes[host_lane];
  host.fabric = mpi.host_fabric;
  host.is_open = library.gpu_reductions == GpuReductions::host && std::ranges::any_of(devices, [&](std::size_t each) {
                   return platform.devices[each].kind == DeviceKind::gpu;
                 });
  const auto algorithms = algorithm_table();
  for (std::size_t i = 0; i < algorithms.size(); ++i)
    if (const auto lane = algorithms[i].traits.lane; !lane.empty() && may_choose(library, i))
      lanes[lane_number(lane)].is_open = true;
  return lanes;
}

void add_gpu_note(const JobPlace& place, Table& table) {
  const auto& library = place.library;
  if (library.states_gpu_reductions || std::ranges::find(place.kinds, DeviceKind::gpu) == place.kinds.end())
    return;
  const auto form = own_or_followed(library).gpu;
  const bool is_known = form.source.kind != SourceKind::assumed;
  table.text.notes.push_back(fmt::format(
      "vectors of GPUs are added on {} ({}); \"gpu_reductions\" of \"mpi\" states otherwise",
      form.reductions == GpuReductions::host ? "their hosts, copied there whole and back" : "the GPUs",
      is_known ? form.source.from
               : fmt::format("{}: assumed, as {}", name_of(selector_names, library.selector), form.source.from)));
}

void add_progress_note(const Library& library, std::size_t requests, std::size_t calls, Table& table) {
  if (requests == 0 && calls == 0)
    return;
  const auto name = [](auto names, auto value) { return names[static_cast<std::size_t>(value)]; };
  const auto& row = own_or_followed(library);
  const auto source =
      library.states_progress ? "as stated" : fmt::format("usual for {}: {}", row.name, row.progress_source.from);
  std::vector<std::string> concerned;
  if (requests > 0)
    concerned.push_back(counted(requests, "long message") + " asked for while the receiver works");
  if (calls > 0)
    concerned.push_back(counted(calls, "nonblocking collective call"));
  table.text.notes.push_back(fmt::format("MPI's progress: {} ({}); it concerns {}",
                                         name(progress_names, library.progress), source,
                                         fmt::join(concerned, " and ")));
}

} // namespace kakehashi
