// Files and standard input → their text.
#pragma once

#include "base/error.hpp"

#include <functional>

namespace kakehashi {

// Errors: it cannot be read, is no regular file, or is larger than limit bytes.
Result<std::string> read_text(const std::string& file, std::size_t limit = 64 << 20);

// Gives the text of a file to `take` part by part, until `take` returns false. Errors: the file cannot be read, or is
// no regular file.
Errors read_parts(const std::string& file, const std::function<bool(std::string_view)>& take);

// Tells a faulty file (input) from a machine that lacks something at this time (system), by the errno of a read.
ErrorKind kind_of_fault(int number);

// Reads standard input to its end. Errors as for read_text.
Result<std::string> read_standard_input(std::size_t limit = 64 << 20);

// Returns the path of a file that `file` names: relative to the folder of `file`, or else to the shipped files.
std::string beside(const std::string& file, const std::string& path);

} // namespace kakehashi
