// The ends of InfraGraph's edges ("nic[0:2]", "cx5[0].port[1]") → the paths of components.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kakehashi {

inline constexpr std::size_t most_infragraph_parts = 100000;

struct InfragraphDevice {
  struct Component {
    std::size_t count = 0;
    std::string choice;
    bool is_nvswitch = false;
    std::string model{}; // of a GPU; empty: unknown
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

} // namespace kakehashi
