#include "workload/job.hpp"

namespace kakehashi {
namespace {

// A device outside any node is a node by itself.
std::vector<int> nodes_of(const Platform& platform, const std::vector<std::size_t>& devices) {
  std::vector<int> nodes;
  for (const auto device : devices)
    nodes.push_back(static_cast<int>(platform.devices[device].node.value_or(platform.nodes.size() + device)));
  return nodes;
}

// Nothing if some node is in no box of a Tofu network.
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

} // namespace

SharedPlace make_place(const Platform& platform, const std::vector<std::size_t>& devices, const MpiSettings& mpi) {
  auto place = std::make_shared<JobPlace>();
  place->nodes = nodes_of(platform, devices);
  place->points = points_of(platform, devices);
  place->world = make_world(place->nodes, place->points);
  place->library = make_library(mpi);
  for (const auto device : devices) {
    place->kinds.push_back(platform.devices[device].kind);
    place->devices.push_back(platform.devices[device].name);
  }
  return place;
}

} // namespace kakehashi
