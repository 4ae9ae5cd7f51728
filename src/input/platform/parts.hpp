// The parts of a platform file → those of its Platform, and what is checked of the whole.
#pragma once

#include "input/json/fields.hpp"
#include "model/platform.hpp"

#include <map>

namespace kakehashi {

inline constexpr std::size_t most_devices = 200000; // of a platform
inline constexpr std::size_t most_links = 4000000;  // likewise

// Nodes, devices and links.
void read_machine(const nlohmann::json& root, Platform& platform, Faults& faults);

// Devices and links as a template names them. Links refer to the template's devices by index.
struct NodeTemplate {
  std::vector<Device> devices;
  std::vector<Link> links;
};
using NodeTemplates = std::map<std::string, NodeTemplate>;
void add_node(const std::string& name, const NodeTemplate& made_of, Platform& platform);
// The template of that name; none, and a fault, if there is none.
const NodeTemplate* find_template(const nlohmann::json& name, const std::string& place, const NodeTemplates& templates,
                                  Faults& faults);

// A link's data sheet and bandwidth. Fields that the entry leaves out stay as they are in `link`. It has no rating if a
// field that the type needs is missing; that is a fault unless the entry states its bandwidth.
Link read_link(const nlohmann::json& entry, const std::string& place, Faults& faults, Link link = {});

// The nodes and links of "tofu". The platform is still empty.
void read_torus(const nlohmann::json& tofu, const NodeTemplates& templates, Platform& platform, Faults& faults);
// The switches and links of "networks". The platform has all other devices.
void read_networks(const nlohmann::json& networks, Platform& platform, Faults& faults);

// The limits of PCIe devices that use each other's memory.
void read_peer_limits(const nlohmann::json& root, Platform& platform, Faults& faults);

// The platform has its machine; if there are faults, not the whole of it.
void read_fabrics(const nlohmann::json& root, Platform& platform, Faults& faults);
// Of a fabric, the stages of its ways, or the fabrics that carry its messages by scope.
void read_stages(const nlohmann::json& body, const std::string& place, Fabric& fabric, Faults& faults);
void read_by_scope(const nlohmann::json& body, Fabric& fabric);
// Faults of the names that they use. The platform has all of its fabrics.
void check_stages(const nlohmann::json& fabrics, const Platform& platform, Faults& faults);
void check_by_scope(const Platform& platform, Faults& faults);

// Faults for endpoints that no link, or no gateway, lets messages reach.
void check_reachability(const Platform& platform, Faults& faults);

} // namespace kakehashi
