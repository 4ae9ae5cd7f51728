#include "writer/export_writer.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>
#include <set>

namespace kakehashi {
namespace {

// Names of devices have letters, digits, '.', '-' and '_', and names of links also '>' and '<'. In XML only these two
// need escaping.
std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text)
    safe += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '"' ? "&quot;" : std::string(1, c);
  return safe;
}

// Returns "0:1e-06:0;8192:2e-06:0": from each size on, a value of a regime.
template <class Value> std::string by_size(const std::vector<Regime>& regimes, Value value) {
  std::vector<std::string> parts;
  for (const auto& regime : regimes)
    parts.push_back(fmt::format("{}:{}", regime.from.count, value(regime)));
  return fmt::format("{}", fmt::join(parts, ";"));
}

// SMPI has one protocol for all pairs; it gets that between CPUs of different nodes.
void write_configuration(const ExportedNetwork& network, std::ostream& out) {
  const auto& regimes = network.regimes;
  const auto property = [&](std::string_view name, const std::string& value) {
    fmt::print(out, "    <prop id=\"{}\" value=\"{}\"/>\n", name, value);
  };
  const auto rendezvous = std::find_if(regimes.begin(), regimes.end(),
                                       [](const Regime& regime) { return regime.protocol() == Protocol::rendezvous; });
  const auto limit = rendezvous == regimes.end() ? largest_size : rendezvous->from;
  out << "  <config>\n";
  property("network/TCP-gamma", "0");
  property("network/crosstraffic", "0");
  property("smpi/bw-factor", "0:1");
  // SMPI has no overheads for messages that wait for their receive, so they become part of the latency.
  property("smpi/lat-factor", by_size(regimes, [&](const Regime& regime) {
             const auto unpaid = of_kind(regime.send_overhead, DeviceKind::cpu) +
                                 of_kind(regime.receive_overhead, DeviceKind::cpu) + regime.setup;
             const bool is_unpaid = regime.protocol() == Protocol::rendezvous && network.latency.value > 0;
             return fmt::format("{:.6g}", regime.trips + (is_unpaid ? unpaid / network.latency : 0));
           }));
  const auto cost = [](Seconds constant, SecondsPerByte per_byte) {
    return fmt::format("{:.6g}:{:.6g}", constant.value, per_byte.value);
  };
  const auto send = by_size(regimes, [&](const Regime& regime) {
    return cost(of_kind(regime.send_overhead, DeviceKind::cpu), of_kind(regime.send_per_byte, DeviceKind::cpu));
  });
  property("smpi/os", send);
  property("smpi/ois", send);
  property("smpi/or", by_size(regimes, [&](const Regime& regime) {
             return cost(of_kind(regime.receive_overhead, DeviceKind::cpu) + regime.setup,
                         of_kind(regime.receive_per_byte, DeviceKind::cpu));
           }));
  const auto threshold = fmt::format("{}", std::min<std::uint64_t>(limit.count, 2000000000));
  property("smpi/async-small-thresh", threshold);
  property("smpi/send-is-detached-thresh", threshold);
  out << "  </config>\n";
}

} // namespace

void write_simgrid(const ExportedNetwork& network, std::ostream& out) {
  fmt::print(
      out,
      "<?xml version=\"1.0\"?>\n"
      "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
      "<!-- Made by kakehashi export from {}, fabric {}. Left out: caps, gaps, limits of PCIe devices, the rates "
      "of memory. The speed of hosts is assumed. -->\n"
      "<platform version=\"4.1\">\n",
      network.platform, network.fabric);
  write_configuration(network, out);
  fmt::print(out, "  <zone id=\"{}\" routing=\"Full\">\n", network.platform);
  for (const auto& host : network.hosts)
    fmt::print(out, "    <host id=\"{}\" speed=\"1Gf\"/>\n", escaped(host));
  std::set<std::size_t> used;
  for (const auto& route : network.routes)
    for (const auto& hop : route.hops)
      used.insert(hop.link);
  const auto policy_of = [](const ExportedLink& link) {
    return !link.is_shared ? "FATPIPE" : link.forward == link.backward ? "SPLITDUPLEX" : "SHARED";
  };
  for (const auto index : used) {
    const auto& link = network.links[index];
    const auto print = [&](std::string_view end, BytesPerSecond rate) {
      fmt::print(out, "    <link id=\"{}{}\" bandwidth=\"{:.9g}Bps\" latency=\"{:.9g}s\" sharing_policy=\"{}\"/>\n",
                 escaped(link.name), end, rate.value, link.latency.value, policy_of(link));
    };
    if (!link.is_shared || link.forward == link.backward) {
      print("", link.forward);
    } else {
      print(":forward", link.forward);
      print(":backward", link.backward);
    }
  }
  // A link with different directions becomes two links.
  for (const auto& route : network.routes) {
    fmt::print(out, "    <route src=\"{}\" dst=\"{}\"{}>", escaped(network.hosts[route.from]),
               escaped(network.hosts[route.to]), route.from == route.to ? "" : " symmetrical=\"NO\"");
    for (const auto& hop : route.hops) {
      const auto& link = network.links[hop.link];
      if (!link.is_shared)
        fmt::print(out, "<link_ctn id=\"{}\"/>", escaped(link.name));
      else if (link.forward == link.backward)
        fmt::print(out, "<link_ctn id=\"{}\" direction=\"{}\"/>", escaped(link.name), hop.is_forward ? "UP" : "DOWN");
      else
        fmt::print(out, "<link_ctn id=\"{}:{}\"/>", escaped(link.name), hop.is_forward ? "forward" : "backward");
    }
    out << "</route>\n";
  }
  out << "  </zone>\n</platform>\n";
}

} // namespace kakehashi
