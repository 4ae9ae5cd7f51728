// An entry of "vary" → its values, and the place in a document that they change.
#pragma once

#include "input/json/fields.hpp"

namespace kakehashi {

// One thing that varies: its texts, and how each changes the scenario's document and its platform's.
struct Dimension {
  std::string name;
  std::string place; // of its entry
  struct Value {
    std::string text;
    std::string place;
    nlohmann::json value;
  };
  std::vector<Value> values;
  bool is_in_platform = false;
  nlohmann::json::json_pointer pointer; // what the value replaces; empty: the number of ranks on the devices
  std::vector<std::size_t> devices;     // per_device
};

// The dimension that an entry with the key "field" makes; none, and faults, if it makes none.
std::optional<Dimension> read_field_dimension(const nlohmann::json& entry, const std::string& place,
                                              const nlohmann::json& scenario, const nlohmann::json& platform,
                                              Faults& faults);

} // namespace kakehashi
