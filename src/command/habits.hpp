// The user's configuration file → usual values of options: lines such as "jobs = 4", "format = csv", "colour = no" and
// "quiet = yes", and comments that begin with #.
#pragma once

#include "base/error.hpp"
#include "command/option.hpp"

namespace kakehashi {

struct Habits {
  std::optional<int> jobs;
  std::string format; // for commands with this format; empty: none
  bool has_colour = true;
  bool is_quiet = false;
};

// Reads the file that KAKEHASHI_CONFIG names, or kakehashi/config in XDG_CONFIG_HOME or ~/.config; if there is no file,
// there are no habits. Errors: all wrong lines.
Result<Habits> read_habits();
Result<Habits> parse_habits(const std::string& text, const std::string& file);

// Call it before the words are read, since these have priority.
void apply(const Habits& habits, const std::vector<OptionRow>& rows);

} // namespace kakehashi
