#include "command/stats.hpp"

#include <algorithm>
#include <fmt/ostream.h>
#include <fstream>
#include <string>
#include <sys/resource.h>

namespace kakehashi {
namespace {

// Returns the peak that Linux reports, of this process or of a child with more; nothing if there is no /proc.
std::optional<double> peak_mebibytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) {
      rusage children{};
      getrusage(RUSAGE_CHILDREN, &children);
      return std::max(std::stod(line.substr(line.find(':') + 1)), static_cast<double>(children.ru_maxrss)) / 1024;
    }
  return std::nullopt;
}

} // namespace

void write_stats(const RunRecord& record, const Stopwatch& watch, std::ostream& out) {
  const auto& counts = record.counts;
  const auto line = [&](std::string_view name, const auto& value) { fmt::print(out, "{:<16} {:>14}\n", name, value); };
  line("messages", record.messages);
  line("events", counts.events);
  if (counts.solves)
    line("solves", *counts.solves);
  line("routes", counts.routes);
  line("connections", counts.connections);
  if (const auto peak = peak_mebibytes())
    line("peak memory", fmt::format("{:.1f} MiB", *peak));
  for (const auto& [phase, time] : watch.laps())
    line(phase, fmt::format("{:.3f} ms", 1e3 * time.count()));
}

} // namespace kakehashi
