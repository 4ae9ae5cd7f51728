// The table of subcommands → what each takes, as plain values: for completions and the man page.
#pragma once

#include <string>
#include <vector>

namespace kakehashi {

struct OptionManual {
  std::vector<std::string> names; // "--format", "-h"; of a positional one name: "SCENARIO"
  std::string purpose;
  bool takes_value = false;
  std::string value_name;          // "TEXT"
  std::vector<std::string> values; // the only ones that it takes; empty: others
  std::string usual;               // its value if it is left out; may be empty
  bool is_number = false;
};

struct CommandManual {
  std::string name;
  std::string purpose;
  std::string examples;
  std::vector<OptionManual> options;
  std::vector<OptionManual> positionals;
};

// In the order of the table.
std::vector<CommandManual> describe_commands();

// Those of the program itself: --help and --version.
std::vector<OptionManual> program_options();

} // namespace kakehashi
