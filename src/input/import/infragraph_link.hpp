// A link of InfraGraph, which has a name and perhaps a description and rates → its cable.
#pragma once

#include "model/blueprint.hpp"

#include <yaml-cpp/yaml.h>

namespace kakehashi {

// Returns a positive number; nothing if it is none.
std::optional<double> infragraph_number(const YAML::Node& node, const std::string& key);

// Returns the name and description of a component or link in lower case; only these show its type.
std::string infragraph_words(const YAML::Node& body, const std::string& name);
bool is_infragraph_nvlink(std::string_view words); // NVLink or xGMI; a component with such words is a switch for them

enum class InfragraphEnd { socket, gpu, nvswitch, other };

// Returns the type of a link between parts of a device, or between instances.
std::string_view infragraph_type(std::string_view words, InfragraphEnd first, InfragraphEnd second);
std::string_view infragraph_type(std::string_view words);

// An NVLink without a bandwidth gets the line rate of all links of a GPU; share_nvlinks then divides this rate.
Cable infragraph_cable(const YAML::Node& link, const std::string& name, std::string_view type);
void share_nvlinks(Assembly& parts);

// Joins each part of a node that no way leads to from a socket, except through a GPU, with a socket: those of one name
// are dealt out in order. Otherwise a message to it would leave the node. Returns the parts that it joined.
std::vector<std::string> join_lone_parts(Assembly& parts);

} // namespace kakehashi
