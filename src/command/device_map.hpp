// The option --map of `compare` → the names of a scenario's devices on other platforms.
#pragma once

#include "base/error.hpp"
#include "model/platform.hpp"

namespace kakehashi {

// A device of the scenario, and the device that replaces it. One * in both stands for the same text.
struct Renaming {
  std::string text;     // as the user wrote it, for messages
  std::string platform; // a file; empty: all but the scenario's own
  std::string here;
  std::string there;
};

// Reads texts such as "other.json:node*.mic2=node*.mic0", which may omit the platform.
Result<std::vector<Renaming>> read_device_map(const std::vector<std::string>& texts);

// Finds faults of a map for a scenario with ranks on these devices, and for these other platforms.
Errors check_device_map(const std::vector<Renaming>& map, const std::vector<std::string>& devices,
                        const std::vector<std::string>& platforms);

// Returns the names of these devices on the platform: by the first entry that matches, or else the same.
Result<std::vector<std::string>> renamed(const std::vector<std::string>& devices, const Platform& platform,
                                         const std::vector<Renaming>& map);

} // namespace kakehashi
