#include "input/import/assembly.hpp"

#include "input/import/known_hardware.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace kakehashi {
Source assumed(std::string what) {
  return {SourceKind::assumed, std::move(what)};
}
Source stated(std::string where) {
  return {SourceKind::document, std::move(where)};
}

std::string plain_name(std::string_view text) {
  std::string name;
  for (const char c : text.substr(0, 100))
    name += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' ? c : '-';
  return name.empty() ? "unnamed" : name;
}

Seconds usual_latency(LinkType type) {
  const auto name = name_of(type);
  return microseconds(name == "pcie" ? 0.15 : name == "ethernet" ? 0.5 : 0.1);
}

// A file that states the rate of a link does not state its latency.
Cable with_usual_latency(Cable cable) {
  cable.latency = usual_latency(cable.type);
  if (cable.source.kind != SourceKind::assumed)
    cable.source = assumed(cable.source.from + "; the latency is assumed");
  return cable;
}

Cable pcie_cable(int generation, int lanes, Source source) {
  Cable cable{link_type("pcie"), {}, {}, {}, std::move(source)};
  cable.rating.generation = generation;
  cable.rating.lanes = lanes;
  return with_usual_latency(std::move(cable));
}

Cable infiniband_cable(std::string_view signalling, int lanes, Source source) {
  Cable cable{link_type("infiniband"), {}, {}, {}, std::move(source)};
  const auto rates = infiniband_rates();
  for (std::size_t i = 0; i < rates.size(); ++i)
    if (rates[i].name == signalling)
      cable.rating.signalling = i;
  cable.rating.lanes = lanes;
  return with_usual_latency(std::move(cable));
}

Cable rated_cable(std::string_view type, BytesPerSecond line_rate, Source source) {
  Cable cable{link_type(type), {}, {}, {}, std::move(source)};
  cable.rating.line_rate = line_rate;
  return with_usual_latency(std::move(cable));
}

Cable stated_cable(std::string_view type, BytesPerSecond bandwidth, Source source) {
  return with_usual_latency({link_type(type), {}, bandwidth, {}, std::move(source)});
}

Cable in_parallel(Cable cable, std::size_t count) {
  if (count > 1) {
    cable.bandwidth = static_cast<double>(count) * capacity_of(cable);
    cable.source.from = fmt::format("{} of: {}", count, cable.source.from);
  }
  return cable;
}

std::vector<std::string> devices_of(const Assembly& parts, DeviceKind kind) {
  std::vector<std::string> names;
  for (const auto& device : parts.devices)
    if (device.kind == kind)
      names.push_back(device.name);
  return names;
}

void join(Assembly& parts, const std::string& from, const std::string& to, const Cable& cable) {
  for (auto& link : parts.links)
    if (link.cable.type == cable.type &&
        ((link.from == from && link.to == to) || (link.from == to && link.to == from))) {
      link.cable.bandwidth = capacity_of(link.cable) + capacity_of(cable);
      return;
    }
  parts.links.push_back({from, to, cable});
}

void join_sockets(Assembly& parts, const std::vector<std::string>& sockets, std::string_view model) {
  const auto cable = socket_cable(model, sockets.size());
  if (sockets.size() > most_joined_sockets) {
    parts.devices.push_back(
        {std::string(interconnect), DeviceKind::network_switch, assumed("what joins the sockets, as one device")});
    for (const auto& socket : sockets)
      parts.links.push_back({socket, std::string(interconnect), cable});
    return;
  }
  for (std::size_t i = 0; i < sockets.size(); ++i)
    for (std::size_t j = i + 1; j < sockets.size(); ++j)
      parts.links.push_back({sockets[i], sockets[j], cable});
}

void note_domains(std::vector<std::string>& notes, std::string_view program, std::size_t sockets) {
  if (sockets > 2)
    notes.push_back(
        fmt::format("{} names NUMA domains, but not the sockets that they are in: each of the {} is a socket "
                    "here, and the links between them are assumed to be those of sockets",
                    program, sockets));
}

std::string numbered(std::string_view prefix, std::size_t number, std::size_t count) {
  return fmt::format("{}{:0{}}", prefix, number, fmt::formatted_size("{}", count > 0 ? count - 1 : 0));
}

} // namespace kakehashi
