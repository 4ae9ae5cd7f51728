// The words of a command line → the places in the rows of its command, through CLI11.
#pragma once

#include "command/command.hpp"

namespace kakehashi {

// Reads the words after the program's name. `command` is the one that they name; null: they are for the program itself.
// Returns the text that --help or --version print; empty: the command is to run. Errors: a fault of the words.
Result<std::string> read_words(const std::vector<std::string>& words, const Command* command,
                               const std::vector<OptionRow>& rows, std::string_view revision = "");

} // namespace kakehashi
