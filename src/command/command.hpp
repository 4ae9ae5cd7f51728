// The subcommands of kakehashi: name, purpose, examples and function.
#pragma once

#include "base/error.hpp"
#include "command/option.hpp"
#include "study/run/progress.hpp"

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kakehashi {

struct Page;

// Results go to out, everything else to err. Who calls a command from a program of its own may give and want more as
// values.
struct Streams {
  std::ostream& out;
  std::ostream& err;
  std::size_t columns = 0;                    // of the terminal that tables are shown on, in colour; 0: there is none
  Errors* faults = nullptr;                   // instead of lines on err
  StudyProgress progress = {};                // instead of a line on a terminal
  std::function<void(const Page&)> page = {}; // that of --report, whether or not it is written, too
  std::map<std::string, std::string> texts = {}; // JSON, by the name of the file that it stands for among the words
};

// A command, ready for the words of one command line: its rows lead to where those go, and then it runs. The places are
// `run`'s, and end with it.
struct Invocation {
  std::vector<OptionRow> rows;
  std::function<int(const Streams&)> run; // → the exit code
};

struct Command {
  std::string_view name;
  std::string_view purpose;
  std::string_view examples;
  std::function<Invocation()> begin;
};

// What a command begins with, whose options are members of a struct of its own.
template <class Options>
std::function<Invocation()> takes(OptionRows (*rows)(Options&), int (*run)(const Options&, const Streams&)) {
  return [=] {
    const auto options = std::make_shared<Options>();
    return Invocation{OptionRows{help_row(), rows(*options)}.all,
                      [=](const Streams& streams) { return run(*options, streams); }};
  };
}

std::span<const Command> commands();

// The subcommands, a file each.
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
extern const Command completion_command;
extern const Command man_command;

// Parses the words after the program's name and runs the subcommand. Returns the exit code.
int run_command_line(const std::vector<std::string>& words, const Streams& streams);

// Prints every error on a line of its own and returns the exit code that they call for.
int report_errors(const Errors& errors, const Streams& streams);

} // namespace kakehashi
