// How launchers of MPI programs deal out ranks to the sockets of nodes.
#pragma once

#include "model/platform.hpp"

#include <array>
#include <optional>
#include <vector>

namespace kakehashi {

// block: socket after socket. by_socket: node after node, its sockets by turns. by_node: nodes by turns, of each socket
// after socket. by_both: nodes by turns, and of each its sockets by turns.
enum class LaunchOrder { block, by_socket, by_node, by_both };
inline constexpr std::array launch_orders{LaunchOrder::block, LaunchOrder::by_socket, LaunchOrder::by_node,
                                          LaunchOrder::by_both};

// The same number of ranks on each socket of some nodes, which a launcher's options can state.
struct EvenPlaces {
  std::size_t nodes = 0;
  std::size_t sockets = 0; // of a node
  std::size_t ranks = 0;   // on a socket
};
// None: the ranks are on other devices than sockets, or unevenly on them.
std::optional<EvenPlaces> even_places(const Platform& platform, const std::vector<std::size_t>& ranks);

// The devices of the ranks in another order.
std::vector<std::size_t> dealt_out(const Platform& platform, const std::vector<std::size_t>& ranks, LaunchOrder order);

// The launcher's order that is nearest to the best one.
struct NearestLaunch {
  LaunchOrder order = LaunchOrder::block;
  EvenPlaces places;
  double loss = 0; // how much worse it is, in parts of the best
};

} // namespace kakehashi
