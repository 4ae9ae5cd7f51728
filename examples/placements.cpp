// A sweep in code: in which order should four devices form a ring? Rank 0 stays where it is, as a ring can be turned.
// Usage: placements PLATFORM.json FABRIC DEVICE DEVICE DEVICE DEVICE
#include <kakehashi/kakehashi.hpp>

#include <algorithm>
#include <cstdio>

using namespace kakehashi::api;

Program ring(Rank& rank) {
  const int next = (rank.id() + 1) % rank.size();
  const int previous = (rank.id() + rank.size() - 1) % rank.size();
  for (int i = 0; i < 20; ++i)
    co_await rank.sendreceive(next, 1 * MiB, previous);
}

int main(int argc, char** argv) try {
  if (argc < 5) {
    std::fprintf(stderr, "usage: placements PLATFORM.json FABRIC DEVICE DEVICE...\n");
    return 2;
  }
  Placement devices(argv + 3, argv + argc);
  std::sort(devices.begin() + 1, devices.end());
  std::vector<Placement> orders;
  do
    orders.push_back(devices);
  while (std::next_permutation(devices.begin() + 1, devices.end()));

  const auto candidates = sweep(Machine::load(argv[1]), argv[2], orders, ring);
  for (const auto& [placement, result] : candidates) {
    std::printf("%10.1f us ", in_microseconds(result.total));
    for (const auto& device : placement)
      std::printf(" %s", device.c_str());
    std::printf("\n");
  }
} catch (const Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
