// Rank counts → what simulating an Alltoall costs, in processor time: `bench-scale [--engine simgrid|fluid]
// [--tolerance PART] [--size B] [--whole] [RANKS…]` prints time and memory per message and per rank. As in any run,
// some ranks stand for all where all do the same, unless --whole is stated. Each count runs in a process of its own.
#include "engine/mpi/simulation.hpp"
#include "torus.hpp"
#include "transport/way_table.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace kakehashi {
namespace {

struct Settings {
  std::string engine = "fluid";
  double tolerance = 0.02;
  std::uint64_t size = 4096;
  std::uint32_t seed = 0;
  int round_trips = 0; // of a ping-pong instead
  bool whole = false;
  std::vector<int> ranks{64, 256, 1024, 1536, 6144};
};

std::array<std::size_t, 3> nodes_of(int ranks) {
  switch (ranks) {
  case 2: return {2, 1, 1};
  case 64: return {2, 2, 1};
  case 128: return {2, 2, 2};
  case 256: return {4, 2, 2};
  case 384: return {4, 3, 2};
  case 512: return {4, 4, 2};
  case 1024: return {4, 4, 4};
  case 1536: return {6, 4, 4};
  case 3072: return {8, 6, 4};
  case 6144: return {8, 6, 8};
  }
  std::fprintf(stderr, "ranks: 64, 128, 256, 384, 512, 1024, 1536, 3072 or 6144\n");
  std::exit(2);
}

// In step k to the rank k further on, from the one k before.
Program alltoall(Rank& rank, Bytes size) {
  for (int step = 1; step < rank.size; ++step)
    co_await rank.sendreceive((rank.id + step) % rank.size, size, (rank.id - step + rank.size) % rank.size);
}

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

Program ping_pong(Rank& rank, Bytes size, int round_trips) {
  for (int i = 0; i < 2 * round_trips; ++i) {
    if (i % 2 == rank.id)
      co_await rank.send(1 - rank.id, size);
    else
      co_await rank.receive(1 - rank.id);
  }
}

void measure(const Settings& settings, int ranks) {
  const auto platform = torus(nodes_of(ranks));
  Topology topology(*platform);
  WayTable ways(*platform, topology, platform->fabrics.front(), ranks_of(*platform, ranks));
  const bool is_whole =
      settings.whole || settings.engine == "simgrid" || settings.seed != 0 || settings.round_trips > 0;
  const auto shift = is_whole ? std::nullopt : find_shift(ways, topology, 1, false);
  const int simulated = shift ? shift->ranks : ranks;
  const int images = shift ? shift->images : 1;
  const auto network =
      settings.engine == "simgrid"
          ? make_simgrid_network(topology.channels(), settings.seed, coarse_tick)
          : make_fluid_network(topology.channels(), settings.tolerance, settings.seed, coarse_tick, images);
  Simulation simulation({*network, ways, ranks, shift ? &*shift : nullptr});
  for (int id = 0; id < simulated; ++id)
    simulation.set_program(id, settings.round_trips > 0
                                   ? ping_pong(simulation.rank(id), Bytes{settings.size}, settings.round_trips)
                                   : alltoall(simulation.rank(id), Bytes{settings.size}));
  const auto ends = simulation.run();
  if (!ends)
    std::exit(1);
  Seconds last;
  for (const auto end : *ends)
    last = std::max(last, end);
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  const double took = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
  const auto messages = static_cast<double>(simulation.messages()) * images;
  std::printf("%6d %9d %10.0f %10zu %10.2f %12.0f %10.0f %12.1f %16.1f\n", ranks, simulated, messages,
              network->solves().value_or(0), took, 1e9 * took / messages, static_cast<double>(usage.ru_maxrss) / 1024,
              static_cast<double>(usage.ru_maxrss) / ranks, in_microseconds(last));
  std::fflush(stdout);
}

int run(const Settings& settings) {
  std::printf("# %s of %llu B, 16 ranks a node, %s", settings.round_trips > 0 ? "ping-pong" : "Alltoall",
              static_cast<unsigned long long>(settings.size), settings.engine.c_str());
  if (settings.engine == "fluid")
    std::printf(", tolerance %g %%", 100 * settings.tolerance);
  std::printf("\n%6s %9s %10s %10s %10s %12s %10s %12s %16s\n", "#ranks", "simulated", "messages", "solves", "cpu[s]",
              "ns/message", "MiB", "KiB/rank", "its time[us]");
  std::fflush(stdout);
  int failures = 0;
  for (const int ranks : settings.ranks) {
    const auto child = fork();
    if (child == 0) {
      measure(settings, ranks);
      std::_Exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    failures += status != 0;
  }
  return failures > 0;
}

} // namespace
} // namespace kakehashi

int main(int count, char** words) {
  kakehashi::Settings settings;
  std::vector<int> ranks;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    const bool has_value = i + 1 < count;
    if (word == "--engine" && has_value)
      settings.engine = words[++i];
    else if (word == "--tolerance" && has_value)
      settings.tolerance = std::atof(words[++i]);
    else if (word == "--whole")
      settings.whole = true;
    else if (word == "--round-trips" && has_value)
      settings.round_trips = std::atoi(words[++i]);
    else if (word == "--seed" && has_value)
      settings.seed = static_cast<std::uint32_t>(std::atoi(words[++i]));
    else if (word == "--size" && has_value)
      settings.size = std::strtoull(words[++i], nullptr, 10);
    else
      ranks.push_back(std::atoi(word.c_str()));
  }
  if (settings.round_trips > 0)
    ranks = {2};
  if (!ranks.empty())
    settings.ranks = ranks;
  return kakehashi::run(settings);
}
