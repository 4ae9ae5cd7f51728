// What `compare` is made of: names of devices on other platforms, and recordings.
#pragma once

#include "base/error.hpp"
#include "command/shell/terminal.hpp"
#include "input/scenario/scenario_parts.hpp"
#include "model/platform.hpp"

#include <string>
#include <vector>

namespace kakehashi {

// The option --map of `compare` → the names of a scenario's devices on other platforms.

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

// Two recordings → the recorded times of their calls, side by side.

// Whether the words mean recordings: several of them are folders.
bool are_recordings(const std::vector<std::string>& files);

// `part` is the part of both that is compared.
int compare_recordings(const std::vector<std::string>& folders, const ReplayPartWords& part, const std::string& format,
                       const Streams& streams);

} // namespace kakehashi
