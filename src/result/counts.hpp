// How much work a run was for the engine.
#pragma once

#include <cstddef>
#include <optional>
#include <tuple>

namespace kakehashi {

struct EngineCounts {
  std::size_t events = 0;            // that it handled: delays, transfers, and what follows at once
  std::optional<std::size_t> solves; // of rates by max-min; nothing: the network does not count them
  std::size_t routes = 0;            // found between two devices
  std::size_t connections = 0;       // at most at a time
  static constexpr auto fields(auto& self) {
    auto& [events, solves, routes, connections] = self;
    return std::tie(events, solves, routes, connections);
  }
};

} // namespace kakehashi
