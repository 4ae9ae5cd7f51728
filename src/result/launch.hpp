// How launchers of MPI programs distribute ranks over the sockets of nodes.
#pragma once

#include "model/platform.hpp"

#include <array>
#include <optional>
#include <vector>

namespace kakehashi {

// block: socket after socket. by_socket: node after node, with a rank on each of its sockets in turn. by_node: one rank
// on each node in turn, which fills socket after socket. by_both: one rank on each node in turn, on its sockets in
// turn.
enum class LaunchOrder { block, by_socket, by_node, by_both };
inline constexpr std::array launch_orders{LaunchOrder::block, LaunchOrder::by_socket, LaunchOrder::by_node,
                                          LaunchOrder::by_both};

// The same number of ranks on each socket of some nodes. A launcher's options can state this.
struct EvenPlaces {
  std::size_t nodes = 0;
  std::size_t sockets = 0; // of a node
  std::size_t ranks = 0;   // on a socket
};
// Returns nothing if ranks are on devices other than sockets, or unevenly on the sockets.
std::optional<EvenPlaces> even_places(const Platform& platform, const std::vector<std::size_t>& ranks);

// Returns the devices of the ranks if the launcher distributes them in that order.
std::vector<std::size_t> dealt_out(const Platform& platform, const std::vector<std::size_t>& ranks, LaunchOrder order);

// The launcher's order that comes nearest to the best placement.
struct NearestLaunch {
  LaunchOrder order = LaunchOrder::block;
  EvenPlaces places;
  double loss = 0; // by what share it is worse than the best
};

} // namespace kakehashi
