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

// Returns "0:1e-06:0;8191:2e-06:0": a value of each range of sizes. SMPI applies it to sizes beyond the number, so to
// none of 0 B; those of the network include a header.
template <class Value>
std::string by_size(const std::vector<ExportedCosts>& costs, std::uint64_t header, const Value& value) {
  std::vector<std::string> parts;
  for (const auto& range : costs)
    parts.push_back(fmt::format("{}:{}", std::max<std::uint64_t>(range.from.count + header, 1) - 1, value(range)));
  return fmt::format("{}", fmt::join(parts, ";"));
}

void write_configuration(const ExportedNetwork& network, std::ostream& out) {
  constexpr std::uint64_t header = 16; // that SMPI adds to each message
  const auto& costs = network.costs;
  const auto property = [&](std::string_view name, const std::string& value) {
    fmt::print(out, "    <prop id=\"{}\" value=\"{}\"/>\n", name, value);
  };
  const auto number = [](double value) { return fmt::format("{:.9g}", value); };
  const auto rendezvous = std::ranges::find(costs, Protocol::rendezvous, &ExportedCosts::protocol);
  const auto limit = rendezvous == costs.end() ? largest_size : rendezvous->from;
  out << "  <config>\n";
  property("network/TCP-gamma", "0");
  property("network/crosstraffic", "0");
  property("smpi/bw-factor", by_size(costs, header, [&](const auto& range) { return number(range.bandwidth_factor); }));
  property("smpi/lat-factor", by_size(costs, header, [&](const auto& range) { return number(range.latency_factor); }));
  const auto cost = [](Seconds constant, SecondsPerByte per_byte) {
    return fmt::format("{:.6g}:{:.6g}", constant.value, per_byte.value);
  };
  const auto send = by_size(costs, 0, [&](const auto& range) { return cost(range.send, range.send_per_byte); });
  property("smpi/os", send);
  property("smpi/ois", send);
  property("smpi/or",
           by_size(costs, 0, [&](const auto& range) { return cost(range.receive, range.receive_per_byte); }));
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
      "<!-- Made by kakehashi export from {}, fabric {}. The one protocol that SMPI has is that of messages from {} to "
      "{}. The links named protocol, which no messages share, give each other pair the rate of its long messages, "
      "under "
      "their cap, and the time of its short ones. Left out: gaps, the rates of memory. The speed of hosts is assumed. "
      "-->\n"
      "<platform version=\"4.1\">\n",
      network.platform, network.fabric, network.first, network.second);
  write_configuration(network, out);
  fmt::print(out, "  <zone id=\"{}\" routing=\"Full\">\n", network.platform);
  for (const auto& host : network.hosts)
    fmt::print(out, "    <host id=\"{}\" speed=\"1Gf\"/>\n", escaped(host));
  std::set<std::size_t> used;
  for (const auto& route : network.routes)
    for (const auto& hop : route.hops)
      used.insert(hop.link);
  const auto is_split = [](const ExportedLink& link) {
    return link.sharing == Sharing::duplex && link.forward == link.backward;
  };
  const auto policy_of = [&](const ExportedLink& link) {
    return link.sharing == Sharing::none ? "FATPIPE" : is_split(link) ? "SPLITDUPLEX" : "SHARED";
  };
  for (const auto index : used) {
    const auto& link = network.links[index];
    const auto print = [&](std::string_view end, BytesPerSecond rate) {
      fmt::print(out, "    <link id=\"{}{}\" bandwidth=\"{:.9g}Bps\" latency=\"{:.9g}s\" sharing_policy=\"{}\"/>\n",
                 escaped(link.name), end, rate.value, link.latency.value, policy_of(link));
    };
    if (link.sharing != Sharing::duplex || is_split(link)) {
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
      if (link.sharing != Sharing::duplex)
        fmt::print(out, "<link_ctn id=\"{}\"/>", escaped(link.name));
      else if (is_split(link))
        fmt::print(out, "<link_ctn id=\"{}\" direction=\"{}\"/>", escaped(link.name), hop.is_forward ? "UP" : "DOWN");
      else
        fmt::print(out, "<link_ctn id=\"{}:{}\"/>", escaped(link.name), hop.is_forward ? "forward" : "backward");
    }
    out << "</route>\n";
  }
  out << "  </zone>\n</platform>\n";
}

} // namespace kakehashi
