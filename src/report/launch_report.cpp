#include "report/report_parts.hpp"

#include "base/text.hpp"
#include "writer/rank_files.hpp"

#include <algorithm>
#include <fmt/ranges.h>
#include <map>
#include <span>

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

using SocketLists =
    std::map<std::string, std::vector<std::size_t>>; // socket lists of the ranks on each host, in their order

SocketLists sockets_of(const SweepPoint& point, const Platform& platform) {
  SocketLists sockets;
  for (const auto device : point.devices)
    sockets[host_of(platform, device)].push_back(platform.devices[device].node ? socket_of(platform, device)
                                                                               : std::size_t{0});
  return sockets;
}

// Returns the line that starts the order, or why there is none: srun has one list for the ranks of every host.
// Source: srun(1), --cpu-bind=map_ldom.
std::string slurm_line(const SweepPoint& point, const Platform& platform, const std::string& hostfile) {
  constexpr std::size_t most_domains = 100;
  const auto sockets = sockets_of(point, platform);
  const auto& longest =
      std::ranges::max_element(sockets, {}, [](const auto& host) { return host.second.size(); })->second;
  const bool are_alike = std::ranges::all_of(sockets, [&](const auto& host) {
    return std::ranges::equal(host.second, std::span(longest).first(host.second.size()));
  });
  if (!are_alike)
    return "srun cannot: --cpu-bind=map_ldom has one order of sockets for all nodes, and here it differs from node to "
           "node";
  if (longest.size() > most_domains)
    return fmt::format("srun cannot in one line: --cpu-bind=map_ldom would list {} sockets", longest.size());
  const bool has_sockets =
      std::ranges::any_of(point.devices, [&](std::size_t device) { return platform.devices[device].node.has_value(); });
  return fmt::format("SLURM_HOSTFILE={} srun -n {} -N {} --distribution=arbitrary{} PROGRAM", shell_word(hostfile),
                     point.devices.size(), sockets.size(),
                     has_sockets ? fmt::format(" --cpu-bind=map_ldom:{}", fmt::join(longest, ",")) : "");
}

} // namespace

void add_launch_lines(const SweepRecord& record, ReportParts& parts) {
  const auto points = that_ran(record);
  if (points.empty() || !record.has_placement)
    return;
  const auto& best = points.front();
  const auto& platform = *record.platform;
  const auto ranks = best.devices.size();
  const auto add_line = [&](std::string text) { parts.push_back(Note{std::move(text), 1}); };
  const auto& [rankfile, hostfile] = record.files;
  parts.push_back(Note{fmt::format("to start the best, with the files that --rankfile {} and --hostfile {} write:",
                                   shell_word(rankfile), shell_word(hostfile))});
  add_line(fmt::format("mpirun -n {} --rankfile {} PROGRAM", ranks, shell_word(rankfile)));
  const auto is_card = [&](std::size_t device) {
    return platform.devices[device].node && platform.devices[device].kind != DeviceKind::cpu;
  };
  if (std::ranges::none_of(best.devices, is_card)) // Slurm does not know cards as hosts
    add_line(slurm_line(best, platform, hostfile));
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
