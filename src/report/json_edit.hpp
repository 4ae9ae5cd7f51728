// A JSON text and a value for a place in it → the text in which only what differs is written anew.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace kakehashi {

// The text is JSON, and has everything that the place names but for its last key. Keys keep their order, and all that
// stays keeps its spaces and line ends; what is new is written as its neighbours are, or as the file is elsewhere.
std::string with_value(const std::string& text, const nlohmann::ordered_json::json_pointer& place,
                       const nlohmann::ordered_json& value);

// Puts an element before that of an index, which the list has.
std::string with_element(const std::string& text, const nlohmann::ordered_json::json_pointer& list, std::size_t index,
                         const nlohmann::ordered_json& element);

} // namespace kakehashi
