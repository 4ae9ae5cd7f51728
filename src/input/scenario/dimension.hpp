// An entry of "vary" → its values, and the place in a document that they change.
#pragma once

#include "input/json/fields.hpp"

namespace kakehashi {

// Something that varies: the text of each value, and its change to the document of the scenario or its platform.
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
  // The place that a value replaces; empty: it changes the number of ranks on devices.
  nlohmann::json::json_pointer pointer;
  std::vector<std::size_t> devices; // of per_device
};

// Returns a text that is the same for equal numbers and quantities: "1 GB/s" and "8 Gbit/s".
std::string meaning_of(const nlohmann::json& value);

// Reads an entry with the key "field"; none, with faults, if it has any.
std::optional<Dimension> read_field_dimension(const nlohmann::json& entry, const std::string& place,
                                              const nlohmann::json& scenario, const nlohmann::json& platform,
                                              Faults& faults);

} // namespace kakehashi
