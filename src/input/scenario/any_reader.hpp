// A file of either kind → a Platform or a Scenario, or all of its faults.
#pragma once

#include "base/error.hpp"
#include "input/scenario/edits.hpp"
#include "model/scenario.hpp"

#include <variant>

namespace kakehashi {

// The key "fabrics" or "workload" shows which kind of file it is. The variants of a sweep are checked, too.
Result<std::variant<Platform, Scenario>> read_any(const std::string& file, const ScenarioEdits& edits = {});

} // namespace kakehashi
