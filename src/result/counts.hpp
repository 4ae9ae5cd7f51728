// How much work a run was for the engine.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <tuple>

namespace kakehashi {

struct EngineCounts {
  std::size_t events = 0;            // that it handled: delays, transfers, and what follows at once
  std::optional<std::size_t> solves; // of rates by max-min; nothing: the network does not count them
  std::size_t routes = 0;            // found between two devices
  std::size_t connections = 0;       // at most at a time

  // Of another part of the run, which went over the same routes.
  void operator+=(const EngineCounts& more) {
    events += more.events;
    if (more.solves)
      solves = solves.value_or(0) + *more.solves;
    routes = std::max(routes, more.routes);
    connections = std::max(connections, more.connections);
  }
  static constexpr auto fields(auto& self) {
    auto& [events, solves, routes, connections] = self;
    return std::tie(events, solves, routes, connections);
  }
};

} // namespace kakehashi
