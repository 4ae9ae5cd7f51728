// The parts of a node, and how nodes that are made of them join a platform.
#pragma once

#include "input/json/fields.hpp"
#include "model/platform.hpp"

#include <map>

namespace kakehashi {

inline constexpr std::size_t most_devices = 200000; // of a platform
inline constexpr std::size_t most_links = 4000000;  // likewise

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

} // namespace kakehashi
