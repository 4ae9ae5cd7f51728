#include "input/import/assembly.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>

namespace kakehashi {
namespace {

// The link between the sockets of a processor whose name has all these words. Intel's data sheets give the rates of QPI
// and UPI (two bytes per transfer and direction). For other processors the table has the bandwidth of all links between
// two sockets.
struct SocketLink {
  std::array<std::string_view, 2> words;
  std::string_view type;
  double giga; // transfers or bytes per second, in units of 1e9
  std::string_view what;
};
constexpr SocketLink socket_links[] = {
    {{"Xeon", "E5-46"}, "qpi", 8, "QPI of Xeon E5-4600"},
    {{"Xeon", "E5-"}, "qpi", 8, "QPI of Xeon E5-2600; v3 and v4 have 9.6 GT/s"},
    {{"Xeon", "E7-"}, "qpi", 6.4, "QPI of Xeon E7"},
    {{"Xeon", "X55"}, "qpi", 6.4, "QPI of Xeon 5500"},
    {{"Xeon", "X56"}, "qpi", 6.4, "QPI of Xeon 5600"},
    {{"Xeon", "X75"}, "qpi", 6.4, "QPI of Xeon 7500"},
    {{"Xeon", "84"}, "upi", 16, "UPI of the fourth generation of Xeon Scalable"},
    {{"Xeon", "64"}, "upi", 16, "UPI of the fourth generation of Xeon Scalable"},
    {{"Xeon", "83"}, "upi", 11.2, "UPI of the third generation of Xeon Scalable"},
    {{"Xeon", "63"}, "upi", 11.2, "UPI of the third generation of Xeon Scalable"},
    {{"Xeon", ""}, "upi", 10.4, "UPI of the first and second generation of Xeon Scalable"},
    {{"EPYC", ""}, "upi", 0, "AMD Infinity Fabric, 4 links of 18 GB/s; Kakehashi has it as the type upi"},
    {{"AMD", ""}, "upi", 0, "AMD HyperTransport or Infinity Fabric; Kakehashi has it as the type upi"},
    {{"POWER", ""}, "upi", 0, "POWER's X-bus; Kakehashi has it as the type upi"},
    {{"", ""}, "upi", 10.4, "the processor's name shows no link; UPI of 10.4 GT/s"},
};

Cable socket_cable(std::string_view model) {
  const auto has = [&](std::string_view word) { return model.find(word) != std::string_view::npos; };
  const auto* row = std::find_if(std::begin(socket_links), std::end(socket_links),
                                 [&](const SocketLink& each) { return has(each.words[0]) && has(each.words[1]); });
  Cable cable;
  cable.type = link_type(row->type);
  cable.latency = usual_latency(cable.type);
  cable.source = assumed(std::string(row->what));
  if (row->giga > 0)
    cable.rating.transfers = TransfersPerSecond{row->giga * 1e9};
  else
    cable.bandwidth = gigabytes_per_second(has("EPYC") ? 72 : has("POWER") ? 64 : 12.8);
  return cable;
}

} // namespace

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
  if (cable.source.kind == SourceKind::document)
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
  const auto cable = socket_cable(model);
  if (sockets.size() > 8) {
    parts.devices.push_back(
        {"interconnect", DeviceKind::network_switch, assumed("what joins the sockets, as one device")});
    for (const auto& socket : sockets)
      parts.links.push_back({socket, "interconnect", cable});
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
