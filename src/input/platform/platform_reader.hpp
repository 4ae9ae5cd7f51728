// A platform file → Platform, or all of its faults.
#pragma once

#include "base/error.hpp"
#include "input/json/fields.hpp"
#include "input/json/json_document.hpp"
#include "model/platform.hpp"

namespace kakehashi {

Result<Platform> read_platform(const std::string& file);
Result<Platform> parse_platform(const JsonDocument& document);

// The parts, each in its own file. They add to the platform what is right and to the faults what is not.
void read_machine(const nlohmann::json& root, Platform& platform, Faults& faults); // nodes, devices and links
void read_fabrics(const nlohmann::json& root, Platform& platform, Faults& faults); // after the machine
void read_stages(const nlohmann::json& body, const std::string& place, Fabric& fabric, Faults& faults);
void check_stages(const nlohmann::json& fabrics, const Platform& platform, Faults& faults); // once all fabrics are read
void read_peer_limits(const nlohmann::json& root, Platform& platform, Faults& faults);
Source read_source(const nlohmann::json& object, const Source& otherwise);
std::optional<LinkRating> read_rating(const nlohmann::json& link, LinkType type, const std::string& place,
                                      Faults& faults);
void check_reachability(const Platform& platform, Faults& faults); // after the fabrics

} // namespace kakehashi
