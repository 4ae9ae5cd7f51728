// What the engine does → lines of text or of JSON, as it does it.
#pragma once

#include "result/recording.hpp"

#include <ostream>
#include <span>
#include <string>

namespace kakehashi {

enum class EventForm { text, json };

// Writes events of these categories. `out` must exist as long as what is returned.
EngineEvents event_lines(std::span<const std::string> categories, EventForm form, std::ostream& out);

} // namespace kakehashi
