// Lines above a table → which benchmark of which suite ran, in which version and on how many processes.
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

// The heading with what a plain line adds to it; nothing if the line adds nothing. A line that adds ends the table
// above it.
std::optional<LogHeading> heading_after(const LogHeading& heading, std::string_view line);

// The part of an OSU title between "OSU" and "Test" → osu-latency, osu-iallreduce, osu-put_bw, …
std::string osu_name(std::string_view title);

} // namespace kakehashi
