// The words of a command line, the usual values that a user has for them, and the names that complete them.
#pragma once

#include "base/error.hpp"
#include "command/command.hpp"
#include "command/option.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace kakehashi {

// The words of a command line → the places in the rows of its command, through CLI11.

// Reads the words after the program's name. `command` is the one that they name; null: they are for the program itself.
// Returns the text that --help or --version print; empty: the command is to run. Errors: a fault of the words.
Result<std::string> read_words(const std::vector<std::string>& words, const Command* command,
                               const std::vector<OptionRow>& rows, std::string_view revision = "");

// The user's configuration file → usual values of options: lines such as "jobs = 4", "format = csv", "colour = no" and
// "quiet = yes", and comments that begin with #.

struct Habits {
  std::optional<int> jobs;
  std::string format; // format for commands with this format; empty: none
  bool has_colour = true;
  bool is_quiet = false;
};

// Reads the file that KAKEHASHI_CONFIG names, or kakehashi/config in XDG_CONFIG_HOME or ~/.config; if there is no file,
// there are no habits. Errors: all wrong lines.
Result<Habits> read_habits();
Result<Habits> parse_habits(const std::string& text, const std::string& file);

// Call it before the words are read, since these have priority.
void apply(const Habits& habits, const std::vector<OptionRow>& rows);

// What an option asks for, and the words before it → the names that a shell may complete it by.

// Returns the kind of names that an option or argument of a command takes: "benchmarks", "fabrics" … Empty: it takes
// none.
std::string_view kind_of_names(std::string_view command, const OptionRow& row);

// Returns all names of a kind, sorted. Fabrics and devices are those of the platform that the words name, or whose
// scenario they name.
std::vector<std::string> names_of_kind(std::string_view kind, const std::vector<std::string>& words);

} // namespace kakehashi
