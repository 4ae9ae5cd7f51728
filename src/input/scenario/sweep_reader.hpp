// A scenario with the key "sweep" → all of its variants, expanded and checked.
#pragma once

#include "base/error.hpp"
#include "input/json/fields.hpp"
#include "input/scenario/edits.hpp"
#include "model/sweep.hpp"

namespace kakehashi {

// Errors: those of the scenario, of what varies, and of every value that makes the scenario or its platform wrong.
Result<Sweep> read_sweep(const std::string& file, const ScenarioEdits& edits = {});

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
