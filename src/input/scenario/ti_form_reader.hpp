// A scenario's "replay" → the facts that time-independent traces lack.
#pragma once

#include "input/json/fields.hpp"
#include "input/trace/ti_form.hpp"

namespace kakehashi {

// place: of the object, for faults.
TiForm read_ti_form(const nlohmann::json& object, const std::string& place, int ranks, Faults& faults);

} // namespace kakehashi
