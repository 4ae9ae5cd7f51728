#include "report/sweep_report.hpp"

#include <algorithm>
#include <fmt/ranges.h>
#include <map>
#include <set>

namespace kakehashi {
namespace {

// Each launcher's name for an order. Sources: mpirun(1) of Open MPI 4, srun(1), the reference of Intel MPI's pinning,
// and MPICH's wiki on Hydra's process binding.
struct LaunchWords {
  std::string_view open_mpi;
  std::string_view slurm;
  std::string_view intel; // I_MPI_PIN_ORDER
  bool is_by_node;        // -ppn 1
  std::string_view mpich; // -map-by; socket after socket only if all cores are used
};

LaunchWords launch_words(LaunchOrder order) {
  switch (order) {
  case LaunchOrder::block: return {"core", "block:block", "bunch", false, "core"};
  case LaunchOrder::by_socket: return {"socket", "block:cyclic", "scatter", false, "socket"};
  case LaunchOrder::by_node: return {"node", "cyclic:block", "bunch", true, "core"};
  case LaunchOrder::by_both: return {"node", "cyclic:cyclic", "scatter", true, "socket"};
  }
  return {};
}

// Returns the sockets of each node's ranks, if all nodes have the same.
std::string domains_of(const SweepPoint& point, const Platform& platform) {
  std::map<std::size_t, std::vector<std::size_t>> by_node;
  for (const auto device : point.devices) {
    if (platform.devices[device].kind != DeviceKind::cpu || !platform.devices[device].node)
      return "";
    by_node[*platform.devices[device].node].push_back(socket_of(platform, device));
  }
  for (const auto& [node, sockets] : by_node)
    if (sockets != by_node.begin()->second)
      return "";
  return fmt::format("{}", fmt::join(by_node.begin()->second, ","));
}

} // namespace

void write_hostfile(const SweepPoint& point, const Platform& platform, std::ostream& out) {
  for (const auto device : point.devices)
    out << host_of(platform, device) << '\n';
}

void add_launch_lines(const SweepRecord& record, ReportParts& parts) {
  const auto points = that_ran(record);
  if (points.empty() || !record.has_placement)
    return;
  const auto& best = points.front();
  const auto& platform = *record.platform;
  const auto ranks = best.devices.size();
  std::set<std::string> hosts;
  for (const auto device : best.devices)
    hosts.insert(host_of(platform, device));
  const auto domains = domains_of(best, platform);
  const auto add_line = [&](std::string text) { parts.push_back(Note{std::move(text), 1}); };
  parts.push_back(Note{"to start the best, with the files that --rankfile ranks.txt and --hostfile hosts.txt write:"});
  add_line(fmt::format("mpirun -n {} --rankfile ranks.txt PROGRAM", ranks));
  const auto is_card = [&](std::size_t device) {
    return platform.devices[device].node && platform.devices[device].kind != DeviceKind::cpu;
  };
  if (std::ranges::none_of(best.devices, is_card)) // Slurm does not know cards as hosts
    add_line(
        fmt::format("SLURM_HOSTFILE=hosts.txt srun -n {} -N {} --distribution=arbitrary{} PROGRAM", ranks, hosts.size(),
                    domains.empty() || domains.size() > 200 ? "" : fmt::format(" --cpu-bind=map_ldom:{}", domains)));
  if (!record.nearest)
    return;
  const auto& [order, places, loss] = *record.nearest;
  const auto words = launch_words(order);
  const auto on_node = places.ranks * places.sockets;
  parts.push_back(Note{loss < 0.0005 ? "without a file, as good:"
                                     : fmt::format("without a file, nearest to it, {:.1f} % worse:", 100 * loss)});
  add_line(fmt::format("mpirun -n {} --map-by {} --rank-by {} --bind-to core PROGRAM", ranks,
                       order == LaunchOrder::by_both ? "socket" : fmt::format("ppr:{}:socket", places.ranks),
                       words.open_mpi));
  add_line(
      fmt::format("srun -n {} --ntasks-per-node={} --ntasks-per-socket={} --distribution={} --cpu-bind=cores PROGRAM",
                  ranks, on_node, places.ranks, words.slurm));
  const auto per_node = words.is_by_node ? std::size_t{1} : on_node;
  add_line(fmt::format("I_MPI_PIN_DOMAIN=core I_MPI_PIN_ORDER={} mpiexec -n {} -ppn {} PROGRAM", words.intel, ranks,
                       per_node));
  add_line(fmt::format("mpiexec -n {} -ppn {} -bind-to core -map-by {} PROGRAM    (MPICH{})", ranks, per_node,
                       words.mpich, words.mpich == "core" && places.sockets > 1 ? ", if all cores are taken" : ""));
}

} // namespace kakehashi
