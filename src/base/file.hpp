// A file → its text.
#pragma once

#include "base/error.hpp"

#include <functional>

namespace kakehashi {

// Errors: it cannot be read, is no regular file, or is larger than limit bytes.
Result<std::string> read_text(const std::string& file, std::size_t limit = 64 << 20);

// Hands on a file's text part by part, until take wants no more. Errors: it cannot be read, or is no regular file.
Errors read_parts(const std::string& file, const std::function<bool(std::string_view)>& take);

// What the system says of an input (errno) is a fault of the file, or of a machine that lacks something for now.
ErrorKind kind_of_fault(int number);

// The same for what is piped in, to its end.
Result<std::string> read_standard_input(std::size_t limit = 64 << 20);

// A path that a file names is relative to the file's folder, or that of a file that comes with the program.
std::string beside(const std::string& file, const std::string& path);

} // namespace kakehashi
