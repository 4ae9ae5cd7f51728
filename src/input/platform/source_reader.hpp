// The key "source" → where a number comes from.
#pragma once

#include "input/json/fields.hpp"
#include "model/source.hpp"

namespace kakehashi {

Source source_of(const nlohmann::json& source);                            // the key's value
Source read_source(const nlohmann::json& object, const Source& otherwise); // of an object that may have the key

} // namespace kakehashi
