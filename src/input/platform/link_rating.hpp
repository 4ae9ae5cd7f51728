// The data-sheet fields of a link → its LinkRating; and the name of a link type → LinkType.
#pragma once

#include "input/json/fields.hpp"
#include "model/link_type.hpp"

namespace kakehashi {

// Nothing if a field that the type needs is missing; that is a fault unless the link states its bandwidth.
std::optional<LinkRating> read_rating(const nlohmann::json& link, LinkType type, const std::string& place,
                                      Faults& faults);

// The link type that object[key] names, if it is there; the schema has checked the name.
std::optional<LinkType> read_link_type(const nlohmann::json& object, const char* key);

} // namespace kakehashi
