#include "input/import/hwloc_nvlink.hpp"

#include "input/import/assembly.hpp"

#include <cstdlib>
#include <sstream>

namespace kakehashi {
namespace {

constexpr std::size_t most_objects = 1000; // of a matrix

// hwloc's number of each object → the bus id of the PCI device that it is, or belongs to.
void find_cards(pugi::xml_node object, std::string bus_id, std::map<std::string, std::string>& cards) {
  if (const auto own = object.attribute("pci_busid"))
    bus_id = own.value();
  if (!bus_id.empty())
    cards[object.attribute("gp_index").value()] = bus_id;
  for (const auto child : object.children("object"))
    find_cards(child, bus_id, cards);
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

void add_matrix(pugi::xml_node matrix, const std::map<std::string, std::string>& cards,
                const std::map<std::string, std::string>& names, Assembly& node) {
  const auto objects = words_of_parts(matrix, "indexes");
  const auto values = words_of_parts(matrix, "u64values");
  if (objects.size() > most_objects || values.size() != objects.size() * objects.size())
    return;
  // The device of the node for each object; "nvswitch" for a card that is none.
  std::vector<std::string> devices;
  for (const auto& object : objects) {
    const auto card = cards.find(object.substr(object.find(':') + 1));
    const auto device = card == cards.end() ? names.end() : names.find(card->second);
    devices.push_back(card == cards.end() ? "" : device == names.end() ? "nvswitch" : device->second);
  }
  bool has_switch = false;
  for (std::size_t i = 0; i < objects.size(); ++i)
    for (std::size_t j = 0; j < objects.size(); ++j) {
      const double rate = std::strtod(values[i * objects.size() + j].c_str(), nullptr) * 1e6; // MB/s
      const bool is_pair =
          devices[i].starts_with("gpu") && ((devices[j].starts_with("gpu") && i < j) || devices[j] == "nvswitch");
      if (!is_pair || devices[i] == devices[j] || !(rate > 0) || rate > 1e14)
        continue;
      if (devices[j] == "nvswitch" && !has_switch)
        node.devices.push_back({"nvswitch", DeviceKind::network_switch, stated("lstopo: all NVSwitches as one")});
      has_switch |= devices[j] == "nvswitch";
      join(node, devices[i], devices[j], stated_cable("nvlink", {rate}, stated("lstopo: NVLinkBandwidth")));
    }
}

} // namespace

void add_nvlinks(const XmlFile& xml, const std::map<std::string, std::string>& names, Assembly& node) {
  std::map<std::string, std::string> cards;
  find_cards(xml.root().child("object"), "", cards);
  for (const auto matrix : xml.root().children()) {
    const std::string_view name = matrix.attribute("name").value();
    if (name == "NVLinkBandwidth" || name == "XGMIBandwidth")
      add_matrix(matrix, cards, names, node);
  }
}

} // namespace kakehashi
