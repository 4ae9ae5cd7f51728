// The words of a command line → the places that the rows of its command name, by CLI11.
#pragma once

#include "command/command.hpp"

namespace kakehashi {

// The words after the program's name. command: the one that the first of them names; null: they are for the program
// itself. The text that --help or --version print; empty: the command is to run. Errors: a fault of the words.
Result<std::string> read_words(const std::vector<std::string>& words, const Command* command,
                               const std::vector<OptionRow>& rows);

} // namespace kakehashi
