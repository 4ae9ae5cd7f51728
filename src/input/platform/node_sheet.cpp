#include "input/platform/node_sheet.hpp"

#include "input/json/schema.hpp"
#include "input/platform/part_readers.hpp"

namespace kakehashi {
namespace {

using nlohmann::json;

Cable cable_of(const Link& link) {
  Cable cable{link.type, link.rating.value_or(LinkRating()), {}, link.latency, *link.source};
  if (link.bandwidth)
    cable.bandwidth = link.bandwidth->forward;
  return cable;
}

void read_devices(const json& entries, const std::vector<Device>& devices, Assembly& node, Faults& faults) {
  std::size_t next = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto at = pointer_to("/devices", i);
    const auto source = read_source(entries[i]["source"], at + "/source", faults);
    const auto names = names_in(entries[i]["name"].get<std::string>(), at + "/name", faults);
    for (std::size_t j = 0; names && j < names->size() && next < devices.size(); ++j, ++next) {
      const auto& device = devices[next];
      node.devices.push_back(
          {device.name, device.kind, source, 0, device.memory, device.model, {}, 1, {}, device.compute});
      if (is_adapter(device.kind))
        node.adapters.push_back(device.name);
    }
  }
}

} // namespace

Result<NodeSheet> read_node_sheet(const JsonDocument& document) {
  if (auto errors = check_schema(document, node_schema_text); !errors.empty())
    return errors;
  const auto& root = *document.root;
  Faults faults(document.file);
  const auto parts = read_template(root, "", faults);
  NodeSheet sheet{root["name"], root["title"], root["network"], {}, {}};
  sheet.node.processor = root.value("processor", "");
  read_devices(root["devices"], parts.devices, sheet.node, faults);
  for (const auto& link : parts.links)
    sheet.node.links.push_back({parts.devices[link.from].name, parts.devices[link.to].name, cable_of(link)});
  if (root.contains("domain")) {
    const auto& domain = root["domain"];
    const auto link = read_link(domain["link"], "/domain/link", faults);
    sheet.domain = {domain["nodes"].get<std::size_t>(), domain["link"]["between"][0], cable_of(link)};
  }
  if (!faults.empty())
    return document.in_document_order(faults.take());
  return sheet;
}

} // namespace kakehashi
