// A platform and the GPUs of a job → what NCCL or RCCL sees of them: nodes, links inside nodes, adapters, and the rows
// of the library's data that hold for these.
#pragma once

#include "model/gpu_library.hpp"
#include "model/platform.hpp"
#include "topology/topology.hpp"

#include <memory>

namespace kakehashi {

// How two GPUs of a node reach each other.
enum class GpuWay { nvlink, pcie, host };

// What keeps GPUs from ways and protocols that they could take: settings, or faults of a machine.
struct GpuHandicaps {
  bool has_peers = true;     // GPUs of a node reach each other, and not through the host's memory
  bool has_gpudirect = true; // adapters reach the memory of GPUs, not the host's
  PerProtocol<bool> lacks{}; // protocols that are off
};

struct GpuRank {
  std::size_t device = 0;
  int node = 0;
  int local = 0; // its place in the node
  int rail = -1; // of the node's adapters, the one next to it; -1: the node has none
};

struct GpuSystem {
  std::shared_ptr<const Platform> platform;
  std::shared_ptr<Topology> topology;
  std::vector<GpuRank> ranks;
  std::vector<std::vector<int>> nodes; // the ranks of each node; GPUs that NVLinks join are one node
  std::size_t per_node = 0;            // ranks of each node; 0: nodes differ
  GpuWay inside = GpuWay::host;        // the worst between neighbours
  bool has_switch = false;             // NVLinks lead to a switch
  BytesPerSecond line;                 // of all NVLinks of a GPU, in each direction
  bool is_intel = true;
  bool adds = false;              // all switches between nodes add (SHARP)
  bool adapters_are_near = true;  // GPUs reach theirs without the host
  std::vector<std::size_t> rails; // adapters of the first node that its GPUs use
  BytesPerSecond rail_line;       // of each, in each direction
  const GpuLibrary* library = nullptr;
  const TunerRelease* release = nullptr;
  GpuRelease version;
  std::shared_ptr<const GpuGeneration> generation;
  std::shared_ptr<const GpuAdapter> adapter; // null: one node
  GpuHandicaps handicaps;
  std::vector<std::string> notes; // assumptions

  std::size_t node_count() const { return nodes.size(); }
  // Whether GPUs of a node need no PCIe between them; one alone needs nothing.
  bool is_linked() const { return inside == GpuWay::nvlink && (line.value > 0 || nodes.front().size() == 1); }
  const Device& device_of(int rank) const { return platform->devices[ranks[static_cast<std::size_t>(rank)].device]; }

  // Ways of bytes. Errors: there is none.
  Result<Route> nvlink_way(std::size_t from, std::size_t to) const;
  // Through a GPU of the node that NVLinks join with both; one that takes part before others.
  Result<Route> bounced_way(std::size_t from, std::size_t to) const;
  Result<Route> pcie_way(std::size_t from, std::size_t to) const;
  // Out by an adapter of the first node and in by one of the other, as rails.
  Result<Route> network_way(std::size_t from, std::size_t to, int out, int in) const;
  bool passes_host(const Route& route) const;
  std::optional<std::size_t> host_of(std::size_t gpu) const; // the nearest processor of its node
};

// Rows of the library's data with what a platform states in place of it.
std::shared_ptr<const GpuGeneration> as_measured(GpuGeneration generation, const GpuLibraryChoice& choice);
std::shared_ptr<const GpuAdapter> as_measured(GpuAdapter adapter, const GpuLibraryChoice& choice);

// Errors: a rank is on no GPU, GPUs are of both makers, two nodes have no adapter, or the release is unknown.
Result<GpuSystem> gpu_system(std::shared_ptr<const Platform> platform, std::shared_ptr<Topology> topology,
                             const std::vector<std::size_t>& devices, const GpuWishes& wishes = {},
                             const GpuHandicaps& handicaps = {});

} // namespace kakehashi
