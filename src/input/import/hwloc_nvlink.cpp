#include "input/import/formats.hpp"

#include "input/import/assembly.hpp"
#include "input/import/text_parts.hpp"

#include <cstdlib>
#include <sstream>

namespace kakehashi {
namespace {

using Names = std::map<std::string, std::string>;

constexpr std::size_t most_objects = 1000; // in a matrix

// Maps hwloc's number of each object to the device of the node that it is, or belongs to; a card that is no device of
// the node counts as "nvswitch".
void find_cards(pugi::xml_node object, std::string device, const Names& names, Names& devices) {
  if (const auto bus_id = object.attribute("pci_busid")) {
    const auto card = names.find(bus_id.value());
    device = card == names.end() ? "nvswitch" : card->second;
  }
  if (!device.empty())
    devices[object.attribute("gp_index").value()] = device;
  for (const auto child : object.children("object"))
    find_cards(child, device, names, devices);
}

std::vector<std::string> words_of_parts(pugi::xml_node matrix, const char* name) {
  std::vector<std::string> words;
  for (const auto part : matrix.children(name)) {
    std::istringstream stream(part.child_value());
    for (std::string word; stream >> word;)
      words.push_back(word);
  }
  return words;
}

void add_matrix(pugi::xml_node matrix, const Names& known, Assembly& node) {
  const auto objects = words_of_parts(matrix, "indexes");
  const auto values = words_of_parts(matrix, "u64values");
  if (objects.size() > most_objects || values.size() != objects.size() * objects.size())
    return;
  std::vector<std::string> devices;
  for (const auto& object : objects) {
    const auto device = known.find(object.substr(object.find(':') + 1));
    devices.push_back(device == known.end() ? "" : device->second);
  }
  bool has_switch = false;
  for (std::size_t i = 0; i < objects.size(); ++i)
    for (std::size_t j = 0; j < objects.size(); ++j) {
      const double rate = std::strtod(values[i * objects.size() + j].c_str(), nullptr) * 1e6; // MB/s
      const bool is_pair =
          devices[i].starts_with("gpu") && (devices[j].starts_with("gpu") ? i < j : !devices[j].empty());
      if (!is_pair || devices[i] == devices[j] || !(rate > 0) || rate > 1e14)
        continue;
      if (devices[j] == "nvswitch" && !has_switch)
        node.devices.push_back({"nvswitch", DeviceKind::network_switch, stated("lstopo: all NVSwitches as one")});
      has_switch |= devices[j] == "nvswitch";
      join(node, devices[i], devices[j], stated_cable("nvlink", {rate}, stated("lstopo: NVLinkBandwidth")));
    }
}

} // namespace

void add_nvlinks(const XmlFile& xml, const Names& names, const Names& sockets, Assembly& node) {
  auto devices = sockets;
  find_cards(xml.root().child("object"), "", names, devices);
  for (const auto matrix : xml.root().children()) {
    const std::string_view name = matrix.attribute("name").value();
    if (name == "NVLinkBandwidth" || name == "XGMIBandwidth")
      add_matrix(matrix, devices, node);
  }
}

} // namespace kakehashi
