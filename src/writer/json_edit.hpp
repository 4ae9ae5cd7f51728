// A JSON text and a value for a place in it → the text, changed only where it has to differ.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace kakehashi {

// The text must be JSON, and have everything that the place names except its last key. Keys keep their order, and
// unchanged text keeps its spaces and line ends. New text imitates its neighbours, or the rest of the file.
std::string with_value(const std::string& text, const nlohmann::ordered_json::json_pointer& place,
                       const nlohmann::ordered_json& value);

// Inserts an element before the one at `index`, which must exist.
std::string with_element(const std::string& text, const nlohmann::ordered_json::json_pointer& list, std::size_t index,
                         const nlohmann::ordered_json& element);

} // namespace kakehashi
