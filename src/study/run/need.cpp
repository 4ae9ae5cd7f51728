#include "study/run/need.hpp"

#include "workload/collective/registry.hpp"
#include "workload/sends.hpp"
#include "workload/workload.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace kakehashi {
namespace {

// Measured with --stats.
constexpr double program_bytes = 64e6;
constexpr double rank_bytes = 4096;   // its program, queues and place
constexpr double log_bytes = 256;     // for each rank and size, in Iterations
constexpr double message_bytes = 200; // with its request, while it is under way
constexpr double device_bytes = 1000; // with its links
constexpr double message_seconds = 1.5e-6;

// Returns the number of messages that are under way at once.
double messages_at_once(const Benchmark& benchmark, const MpiSettings& mpi, double ranks) {
  const auto& kind = kind_of(benchmark);
  if (!kind.collective)
    return ranks * (kind.has_window ? benchmark.window : 1);
  const bool all_to_all = *kind.collective == Collective::alltoall || *kind.collective == Collective::alltoallv;
  const auto& named = mpi.algorithms[static_cast<std::size_t>(*kind.collective)];
  const bool is_linear = all_to_all && named && algorithm_table()[named->algorithm].name.starts_with("linear");
  return ranks * (is_linear ? ranks : all_to_all ? std::min(ranks, 64.0) : 1);
}

// Returns the messages of the smallest number of iterations that each size takes, with the warm-up.
std::vector<double> least_messages(const Benchmark& benchmark, const SharedPlace& place) {
  std::vector<double> messages;
  for (const auto size : benchmark.sizes) {
    auto one = benchmark;
    one.sizes = {size};
    const auto iterations = job_of(one, place).rows->progress().least;
    one.repetitions = 1;
    one.warm_up = 0;
    messages.push_back(iterations * count_sends(job_of(one, place), place->world.size(), true));
  }
  return messages;
}

std::string size_text(double bytes) {
  return bytes < 1e9 ? fmt::format("{:.0f} MB", bytes / 1e6) : fmt::format("{:.1f} GB", bytes / 1e9);
}

std::string time_text(Seconds time) {
  return time.value < 7200    ? fmt::format("{:.0f} s", time.value)
         : time.value < 360e3 ? fmt::format("{:.0f} hours", time.value / 3600)
                              : fmt::format("{:.0f} days", time.value / 86400);
}

} // namespace

Need need_of(const Scenario& scenario) {
  return need_of(scenario, make_place(*scenario.platform, scenario.ranks, scenario.mpi));
}

Need need_of(const Scenario& scenario, const SharedPlace& place) {
  const auto ranks = static_cast<double>(scenario.ranks.size());
  double bytes =
      program_bytes + rank_bytes * ranks + device_bytes * static_cast<double>(scenario.platform->devices.size());
  Need need;
  if (const auto* benchmark = std::get_if<Benchmark>(&scenario.workload); benchmark && !kind_of(*benchmark).gpu) {
    const auto sizes = static_cast<double>(benchmark->sizes.size());
    bytes += log_bytes * ranks * sizes + message_bytes * messages_at_once(*benchmark, scenario.mpi, ranks);
    for (const auto messages : least_messages(*benchmark, place)) {
      need.messages += messages;
      need.rows.push_back(Seconds{message_seconds * messages});
    }
  }
  need.memory = Bytes{static_cast<std::uint64_t>(bytes)};
  need.time = Seconds{message_seconds * need.messages};
  return need;
}

Errors check_need(const Scenario& scenario, const Need& need, Bytes most_memory) {
  const auto bytes = static_cast<double>(need.memory.count);
  const auto text = fmt::format("{} ranks need about {} of memory{}", scenario.ranks.size(), size_text(bytes),
                                need.time.value >= 1 ? fmt::format(" and {}", time_text(need.time)) : "");
  if (need.memory > most_memory)
    return {{ErrorKind::run, scenario.file, "/ranks",
             fmt::format("{}, more than the {} that --max-memory allows", text,
                         size_text(static_cast<double>(most_memory.count))),
             ""}};
  return {};
}

} // namespace kakehashi
