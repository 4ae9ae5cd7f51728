// How much work a run was for the engine.
#pragma once

#include <cstddef>
#include <optional>
#include <tuple>

namespace kakehashi {

struct EngineCounts {
  std::size_t events = 0; // events that it handled: delays, transfers, and what follows them at once
  // Solutions of max-min fairness for rates; nothing: the network does not count them.
  std::optional<std::size_t> solves;
  std::size_t routes = 0;      // routes that were found between two devices
  std::size_t connections = 0; // the largest number at a time
  static constexpr auto fields(auto& self) {
    auto& [events, solves, routes, connections] = self;
    return std::tie(events, solves, routes, connections);
  }
};

} // namespace kakehashi
