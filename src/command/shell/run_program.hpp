// A program and its words → its exit code.
#pragma once

#include "base/error.hpp"

#include <map>
#include <string>
#include <vector>

namespace kakehashi {

// Runs the program to its end in this terminal, with these additional variables. Returns its exit code, or 128 and the
// number of the signal that ended it. Errors: it cannot be started.
Result<int> run_program(const std::vector<std::string>& words, const std::map<std::string, std::string>& variables);

// Does the same and returns what the program prints. Only a failing start is an error.
struct ProgramOutput {
  int exit_code = 0;
  std::string text;
};
Result<ProgramOutput> output_of_program(const std::vector<std::string>& words);

} // namespace kakehashi
