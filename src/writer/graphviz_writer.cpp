#include "writer/export_writer.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <string_view>

namespace kakehashi {
namespace {

std::string_view shape_of(DeviceKind kind) {
  switch (kind) {
  case DeviceKind::cpu: return "box";
  case DeviceKind::gpu:
  case DeviceKind::coprocessor: return "component";
  case DeviceKind::network_switch: return "diamond";
  default: return "ellipse";
  }
}

std::string rate_of(const Link& link) {
  const auto rate = link.bandwidth ? link.bandwidth->forward : row_of(link.type).capacity(*link.rating);
  return fmt::format("{} {:.3g} GB/s", name_of(link.type), rate.value / 1e9);
}

} // namespace

void write_graphviz(const Platform& platform, std::ostream& out) {
  fmt::print(out, "graph \"{}\" {{\n  node [fontname=\"sans-serif\"];\n  edge [fontname=\"sans-serif\", fontsize=9];\n",
             platform.name);
  const auto print = [&](const Device& device, std::string_view indent) {
    fmt::print(out, "{}\"{}\" [label=\"{}\", shape={}];\n", indent, device.name, device.local_name(),
               shape_of(device.kind));
  };
  std::size_t next = 0; // the devices of a node are adjacent
  for (std::size_t node = 0; node < platform.nodes.size(); ++node) {
    fmt::print(out, "  subgraph \"cluster_{0}\" {{\n    label=\"{0}\";\n", platform.nodes[node]);
    for (; next < platform.devices.size() && platform.devices[next].node == node; ++next)
      print(platform.devices[next], "    ");
    out << "  }\n";
  }
  for (const auto& device : platform.devices)
    if (!device.node)
      print(device, "  ");
  for (const auto& link : platform.links)
    fmt::print(out, "  \"{}\" -- \"{}\" [label=\"{}\"];\n", platform.devices[link.from].name,
               platform.devices[link.to].name, rate_of(link));
  out << "}\n";
}

} // namespace kakehashi
