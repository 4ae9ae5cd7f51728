// A scenario's "replay" → the recorded application.
#pragma once

#include "input/json/fields.hpp"
#include "model/scenario.hpp"

namespace kakehashi {

// The object of that key, for that many ranks if their number is known. Errors in other files go to `elsewhere`.
Replay read_replay(const nlohmann::json& object, const std::string& scenario_file, std::optional<std::size_t> ranks,
                   Faults& faults, Errors& elsewhere);

} // namespace kakehashi
