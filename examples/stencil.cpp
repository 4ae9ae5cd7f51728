// A stencil of one's own: a line of ranks that exchange halos, compute, and agree on the residual.
// Usage: stencil PLATFORM.json FABRIC DEVICE…
#include <kakehashi/kakehashi.hpp>

#include <cstdio>

using namespace kakehashi::api;

constexpr int iterations = 100;
constexpr Bytes halo = 64 * KiB;
constexpr Seconds inner_points = microseconds(200); // need no halo
constexpr Seconds border_points = microseconds(10);

Program stencil(Rank& rank) {
  const int left = rank.id() - 1;
  const int right = rank.id() + 1;
  for (int i = 0; i < iterations; ++i) {
    std::vector<Request> halos;
    for (const int neighbour : {left, right}) {
      if (neighbour < 0 || neighbour == rank.size())
        continue;
      halos.push_back(co_await rank.ireceive(neighbour));
      halos.push_back(co_await rank.isend(neighbour, halo));
    }
    co_await rank.compute(inner_points);
    co_await rank.wait_all(halos);
    co_await rank.compute(border_points);
    co_await rank.allreduce(8 * B);
  }
}

int main(int argc, char** argv) try {
  if (argc < 5) {
    std::fprintf(stderr, "usage: stencil PLATFORM.json FABRIC DEVICE DEVICE...\n");
    return 2;
  }
  const auto machine = Machine::load(argv[1]);
  const auto result = run(machine, argv[2], Placement(argv + 3, argv + argc), stencil);
  const auto computing = iterations * (inner_points + border_points);
  std::printf("%zu ranks, %zu messages: %.1f us, of which %.1f us are not computing\n", result.ends.size(),
              result.messages, in_microseconds(result.total), in_microseconds(result.total - computing));
} catch (const Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
