// --map of `compare` → what the devices of a scenario are called on other platforms.
#pragma once

#include "base/error.hpp"
#include "model/platform.hpp"

namespace kakehashi {

// A device of the scenario, and the one that takes its place. One * in both stands for the same text.
struct Renaming {
  std::string text;     // as it was given, for messages
  std::string platform; // file; empty: each but the scenario's own
  std::string here;
  std::string there;
};

// Of texts such as "other.json:node*.mic2=node*.mic0", in which the platform may be left out.
Result<std::vector<Renaming>> read_device_map(const std::vector<std::string>& texts);

// Faults of a map for a scenario whose ranks are on these devices, and these other platforms.
Errors check_device_map(const std::vector<Renaming>& map, const std::vector<std::string>& devices,
                        const std::vector<std::string>& platforms);

// The names of these devices there: by the first entry that fits, or else the same.
Result<std::vector<std::string>> renamed(const std::vector<std::string>& devices, const Platform& platform,
                                         const std::vector<Renaming>& map);

} // namespace kakehashi
