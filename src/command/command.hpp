// The subcommands of kakehashi: name, purpose, examples and function.
#pragma once

#include "command/option.hpp"
#include "command/shell/terminal.hpp"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kakehashi {

// A command that is ready for the words of one command line. The words are stored through its rows, and then it runs.
// The places for them belong to `run` and end with it.
struct Invocation {
  std::vector<OptionRow> rows;
  std::function<int(const Streams&)> run; // returns the exit code
};

struct Command {
  std::string_view name;
  std::string_view purpose;
  std::string_view examples;
  std::function<Invocation()> begin;
};

// Starts a command whose options are members of a struct of its own.
template <class Options>
std::function<Invocation()> takes(OptionRows (*rows)(Options&), int (*run)(const Options&, const Streams&)) {
  return [=] {
    const auto options = std::make_shared<Options>();
    return Invocation{OptionRows{help_row(), rows(*options)}.all,
                      [=](const Streams& streams) { return run(*options, streams); }};
  };
}

std::span<const Command> commands();

// The subcommands, one file each.
extern const Command simulate_command;
extern const Command check_command;
extern const Command record_command;
extern const Command list_command;
extern const Command import_command;
extern const Command export_command;
extern const Command validate_command;
extern const Command calibrate_command;
extern const Command explain_command;
extern const Command compare_command;
extern const Command sweep_command;
extern const Command tune_command;
extern const Command completion_command;
extern const Command man_command;

// Parses the words after the program's name and runs the subcommand. --version shows the revision, unless it is empty.
// Returns the exit code.
int run_command_line(const std::vector<std::string>& words, const Streams& streams, std::string_view revision = "");

} // namespace kakehashi
