// A program and its words → its exit code.
#pragma once

#include "base/error.hpp"

#include <map>
#include <string>
#include <vector>

namespace kakehashi {

// Runs it to its end in this terminal, with these variables besides; 128 and the signal's number, if one ended it.
// Errors: it cannot be started.
Result<int> run_program(const std::vector<std::string>& words, const std::map<std::string, std::string>& variables);

// The same, with all that it prints; only a program's start is an error.
struct ProgramOutput {
  int exit_code = 0;
  std::string text;
};
Result<ProgramOutput> output_of_program(const std::vector<std::string>& words);

// As one word for a shell.
std::string in_shell_quotes(const std::string& text);

} // namespace kakehashi
