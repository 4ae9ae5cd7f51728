// Where the program stands → the folder with the platforms and scenarios that come with it.
#pragma once

#include "base/error.hpp"

#include <filesystem>
#include <optional>

namespace kakehashi {

// The folder that `stated` (KAKEHASHI_DATA) names; else share/kakehashi beside the program's own folder, as it is
// installed; else the first folder from the program's upwards that holds platforms/ and scenarios/reference/, as a
// source tree does around its build folders. Errors: there is none; with the places that were looked at.
Result<std::string> find_data_folder(const std::optional<std::string>& stated, const std::filesystem::path& program);

// For this process.
Result<std::string> find_data_folder();

// The path of a file or folder; if nothing is there, of one that comes with the program, where `name` (platforms/… or
// scenarios/…) is that of one.
std::string or_shipped(const std::string& path, const std::string& name);

} // namespace kakehashi
