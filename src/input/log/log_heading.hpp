// Lines above a table → the suite, benchmark and version that ran, and the number of processes.
#pragma once

#include "model/log.hpp"

#include <string_view>

namespace kakehashi {

struct LogHeading {
  Suite suite = Suite::none;
  std::string benchmark;
  std::string printed_name;
  std::string version;
  std::optional<std::uint64_t> processes;
  std::optional<std::uint64_t> window;
  std::optional<std::uint64_t> groups;
  std::optional<std::uint64_t> waiting;
};

// Returns the heading with the information of a line added; nothing if the line has none. A line with information ends
// the table above it.
std::optional<LogHeading> heading_after(const LogHeading& heading, std::string_view line);

// The part of an OSU title between "OSU" and "Test" → osu-latency, osu-iallreduce, osu-put_bw, …
std::string osu_name(std::string_view title);

} // namespace kakehashi
