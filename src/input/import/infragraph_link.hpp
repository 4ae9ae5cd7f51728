// A link of InfraGraph, which has a name and perhaps a description and rates → its cable.
#pragma once

#include "model/blueprint.hpp"

#include <yaml-cpp/yaml.h>

namespace kakehashi {

// A positive number; nothing: it is none.
std::optional<double> infragraph_number(const YAML::Node& node, const std::string& key);

// What a component or a link is called, in lower case: its name and description, which are all that tells of its type.
std::string infragraph_words(const YAML::Node& body, const std::string& name);
bool is_infragraph_nvlink(std::string_view words); // or xGMI; a component with such words is a switch for them

enum class InfragraphEnd { socket, gpu, nvswitch, other };

// The type of a link between parts of a device, and of one between instances.
std::string_view infragraph_type(std::string_view words, InfragraphEnd first, InfragraphEnd second);
std::string_view infragraph_type(std::string_view words);

// An NVLink without a bandwidth has none yet, and as line rate that of all links of a GPU; share_nvlinks divides it.
Cable infragraph_cable(const YAML::Node& link, const std::string& name, std::string_view type);
void share_nvlinks(Assembly& parts);

} // namespace kakehashi
