// Which engine runs a job, and how exactly.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>

namespace kakehashi {

enum class EngineKind { automatic, simgrid, fluid };
inline constexpr std::array<std::string_view, 3> engine_names{"auto", "simgrid", "fluid"};

struct EngineOptions {
  EngineKind kind = EngineKind::automatic;
  double tolerance = 0.02; // the fluid engine's, a part of one; at most 0.05
  std::uint32_t seed = 0;  // shuffles what happens at the same time; 0: not at all
  bool whole = false;      // simulates every rank and round, also where some can stand for all
  // By so much of its time, at most, each call and transfer is longer or shorter. Not stated: by nothing; but rows in
  // whose long exchanges that makes a difference have some (study/run/run_parts.hpp).
  std::optional<double> noise = {};
  static constexpr auto fields(auto& self) {
    auto& [kind, tolerance, seed, whole, noise] = self;
    return std::tie(kind, tolerance, seed, whole, noise);
  }
};

} // namespace kakehashi
