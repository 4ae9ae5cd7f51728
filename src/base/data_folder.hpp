// The place of the program → the folder with the platforms and scenarios that come with it.
#pragma once

#include "base/error.hpp"

#include <filesystem>
#include <optional>

namespace kakehashi {

// Returns the first of these that there is: the folder that `stated` (KAKEHASHI_DATA) names; share/kakehashi beside the
// program's own folder, as an installation has it; the nearest folder above the program with platforms/ and
// scenarios/reference/, as a source tree has it around its build folders. Errors: there is none; the message lists the
// places.
Result<std::string> find_data_folder(const std::optional<std::string>& stated, const std::filesystem::path& program);

// The same for this process.
Result<std::string> find_data_folder();

// Returns `path` if a file or folder is there. Otherwise returns the shipped file that `name` (platforms/…, scenarios/…
// libraries/, nodes/ or models/…) stands for, if there is one.
std::string or_shipped(const std::string& path, const std::string& name);

} // namespace kakehashi
