// A file of either kind → Platform or Scenario, or all of its faults.
#pragma once

#include "base/error.hpp"
#include "input/scenario/edits.hpp"
#include "model/scenario.hpp"

#include <variant>

namespace kakehashi {

// What the key "fabrics" or "workload" tells: which of the two kinds of file this is. What a sweep varies is checked.
Result<std::variant<Platform, Scenario>> read_any(const std::string& file, const ScenarioEdits& edits = {});

} // namespace kakehashi
