// A machine built in code: how much does a faster network help an Alltoall on eight nodes of two sockets?
#include <kakehashi/kakehashi.hpp>

#include <cstdio>

using namespace kakehashi::api;

constexpr int nodes = 8;

Machine cluster(BytesPerSecond network) {
  MachineBuilder builder("eight-nodes");
  builder.device("switch", "switch");
  for (int i = 0; i < nodes; ++i) {
    const auto node = "n" + std::to_string(i);
    builder.device(node, "cpu0", "cpu").device(node, "cpu1", "cpu").device(node, "nic", "nic");
    builder.link(node + ".cpu0", node + ".cpu1", "upi", gigabytes_per_second(20), microseconds(0.1));
    builder.link(node + ".cpu0", node + ".nic", "pcie", gigabytes_per_second(12), microseconds(0.3));
    builder.link(node + ".nic", "switch", "ethernet", network, microseconds(1));
  }
  Regime eager;
  eager.o_send = eager.o_recv = microseconds(1);
  Regime rendezvous = eager;
  rendezvous.from = 32 * KiB;
  rendezvous.trips = 3;
  builder.fabric("roce", {"upi", "pcie", "ethernet"}, {"nic"}, {eager, rendezvous});
  return builder.build();
}

int main() try {
  for (const double rate : {10, 25, 100}) {
    const auto machine = cluster(gigabits_per_second(rate));
    std::printf("%3.0f Gbit/s:", rate);
    for (const auto size : {1 * KiB, 64 * KiB, 1 * MiB}) {
      const auto alltoall = [size](Rank& rank) -> Program { co_await rank.alltoall(size); };
      const auto result = run(machine, "roce", machine.devices(), alltoall);
      std::printf("%10.1f us", in_microseconds(result.total));
    }
    std::printf("\n");
  }
} catch (const Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
