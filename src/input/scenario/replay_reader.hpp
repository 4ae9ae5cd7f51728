// A scenario's "replay" → the recorded application, and the faults in what was recorded.
#pragma once

#include "input/json/fields.hpp"
#include "model/scenario.hpp"

namespace kakehashi {

// The object of that key, for that many ranks if their number is known. Errors in other files go to `elsewhere`.
Replay read_replay(const nlohmann::json& object, const std::string& scenario_file, std::optional<std::size_t> ranks,
                   Faults& faults, Errors& elsewhere);

// Reads all that each rank did. Errors: the first fault of each rank, of at most 20 ranks.
Errors check_replay(const Replay& replay, std::size_t ranks);

} // namespace kakehashi
