// A fabric with an eager and a rendezvous protocol, and links of a platform, for tests whose times are worked by hand.
#pragma once

#include "model/platform.hpp"

namespace kakehashi {

// Eager below 10 kB, rendezvous from there on; overheads of 0.5 us and 0.25 us.
inline Fabric two_protocols() {
  Regime eager;
  eager.to = Bytes{10000};
  eager.send_overhead = all_kinds(microseconds(0.5));
  eager.receive_overhead = all_kinds(microseconds(0.25));
  Regime rendezvous = eager;
  rendezvous.from = Bytes{10000};
  rendezvous.to = std::nullopt;
  rendezvous.trips = 3;
  Fabric net;
  net.name = "net";
  net.links = {link_type("pcie"), link_type("ethernet")};
  net.rules = {{std::nullopt, std::nullopt, std::nullopt, {eager, rendezvous}}};
  return net;
}

// Named after its ends.
inline void add_link(Platform& platform, std::size_t from, std::size_t to, LinkType type, double gb_s,
                     Seconds latency) {
  Link link;
  link.name = platform.devices[from].name + "-" + platform.devices[to].name;
  link.from = from;
  link.to = to;
  link.type = type;
  link.bandwidth = gigabytes_per_second(gb_s);
  link.latency = latency;
  platform.links.push_back(link);
}

} // namespace kakehashi
