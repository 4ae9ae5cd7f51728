// The assumptions about a recorded application → a warning for each.
#pragma once

#include "command/command.hpp"
#include "model/scenario.hpp"

namespace kakehashi {

inline void tell_assumptions(const Workload& workload, const Streams& streams) {
  if (const auto* replay = std::get_if<Replay>(&workload))
    for (const auto& warning : replay->warnings)
      streams.err << "warning: " << warning << '\n';
}

} // namespace kakehashi
