// The user's configuration file → usual values of options: lines such as "jobs = 4", "format = csv", "colour = no" and
// "quiet = yes", and comments that begin with #.
#pragma once

#include "base/error.hpp"
#include "command/option.hpp"

namespace kakehashi {

struct Habits {
  std::optional<int> jobs;
  std::string format; // empty: none; of commands that have it
  bool has_colour = true;
  bool is_quiet = false;
};

// From the file that KAKEHASHI_CONFIG names, or kakehashi/config in XDG_CONFIG_HOME or ~/.config; without it none.
// Errors: all lines that are wrong.
Result<Habits> read_habits();
Result<Habits> parse_habits(const std::string& text, const std::string& file);

// Before the words are read, which have the last say.
void apply(const Habits& habits, const std::vector<OptionRow>& rows);

} // namespace kakehashi
