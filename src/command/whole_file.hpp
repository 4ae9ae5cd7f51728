// A text → a file that has all of it, or what it had before.
#pragma once

#include "base/error.hpp"

namespace kakehashi {

// Writes a new file beside the old one and renames it, so that no reader and no failure sees half of it. Permissions
// stay; a symbolic link goes on pointing to the file. Nothing, or why it cannot be written.
Errors replace_file(const std::string& file, const std::string& text);

} // namespace kakehashi
