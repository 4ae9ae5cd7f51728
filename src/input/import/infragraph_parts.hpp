// The ends of InfraGraph's edges ("nic[0:2]", "cx5[0].port[1]") → the paths of components.
#pragma once

#include "model/blueprint.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>
#include <yaml-cpp/yaml.h>

namespace kakehashi {

inline constexpr std::size_t most_infragraph_parts = 100000;

struct InfragraphDevice {
  struct Component {
    std::size_t count = 0;
    std::string choice;
    bool is_nvswitch = false;
    std::string model{}; // model of a GPU; empty: unknown
  };
  std::map<std::string, Component> components;
};

// "host[0:2]" of 4 → 0, 1; "host" → all. Nothing if it is out of range or no slice of Python's form.
std::optional<std::vector<std::size_t>> expand_index(const std::string& element, std::size_t count);

// "cx5[0:2].port[0]" of a device → cx5.0.port.0, cx5.1.port.0.
std::optional<std::vector<std::string>> expand_path(const std::map<std::string, InfragraphDevice>& devices,
                                                    std::string device, const std::string& text);

// one2one: pair by pair; many2many: each with each; ring: each of the first set with its next.
std::optional<std::vector<std::pair<std::string, std::string>>>
pairs_by_scheme(const std::string& scheme, const std::vector<std::string>& from, const std::vector<std::string>& to);

// A link of InfraGraph, which has a name and perhaps a description and rates → its cable.

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
