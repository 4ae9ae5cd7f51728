#include "command/command.hpp"

#include "base/line_buffer.hpp"
#include "base/memory.hpp"
#include "base/text.hpp"
#include "command/command_line.hpp"
#include "command/shared_options.hpp"
#include "study/pool/team.hpp"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <fmt/format.h>
#include <new>
#include <span>
#include <unistd.h>

namespace kakehashi {
namespace {

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const auto& command : commands())
    names.emplace_back(command.name);
  return names;
}

int refuse_usage(const Error& fault, const Streams& streams, const Command* command = nullptr) {
  report_errors({fault}, streams);
  if (!streams.faults)
    streams.err << fmt::format("Try `kakehashi {}--help`.\n", command ? std::string(command->name) + " " : "");
  return 2;
}

// A result that cannot be written is a failure: the disk is full, or a pipe is closed.
int delivered(int exit_code, const Streams& streams) {
  streams.out.flush();
  if (streams.out)
    return exit_code;
  return std::max(exit_code, report_errors({run_error("standard output: cannot be written")}, streams));
}

// The text of a user's file may contain codes for terminals, so everything but CSV and JSON is escaped. Tables are in
// colour on a terminal, and escape text there themselves.
int act(const Invocation& invocation, const Streams& streams, bool may_colour) {
  const auto* format = text_of(invocation.rows, "--format");
  const bool is_for_programs = format && *format != "table";
  const bool has_colour = format && !is_for_programs && streams.columns > 0 && may_colour;
  LineBuffer out_lines(streams.out,
                       [&](const std::string& line) { return is_for_programs ? line : printable_line(line); });
  LineBuffer err_lines(streams.err, printable_line);
  std::ostream out(&out_lines);
  std::ostream err(&err_lines);
  return invocation.run({out, err, has_colour ? streams.columns : 0, streams.faults, streams.progress, streams.page,
                         streams.texts, &streams.out, &streams.err});
}

// Even cleaning up may need memory (nlohmann's values do), so this cannot return to main.
[[noreturn]] void end_without_memory() {
  try {
    if (const auto what = std::current_exception())
      std::rethrow_exception(what);
  } catch (const std::bad_alloc&) {
    constexpr std::string_view text = "error: there is not enough memory\n";
    [[maybe_unused]] const auto written = write(STDERR_FILENO, text.data(), text.size());
    _exit(1);
  } catch (...) { // a fault of ours
  }
  std::abort();
}

// Keeps enough memory free for the machine, whatever the command needs.
int act_within_memory(const Invocation& invocation, const Streams& streams, bool may_colour) {
  const auto* stated = text_of(invocation.rows, "--max-memory");
  const bool is_stated = stated && !stated->empty();
  const auto limit = memory_limit(is_stated ? *stated : "");
  if (!limit)
    return report_errors(limit.errors(), streams);
  bound_memory(*limit);
  std::set_terminate(end_without_memory);
  try {
    return act(invocation, streams, may_colour);
  } catch (const std::bad_alloc&) {
    return report_errors(
        {system_error(is_stated ? "this takes more memory than --max-memory allows" : "there is not enough memory")},
        streams);
  }
}

const Command* find_command(std::string_view name) {
  const auto found = std::ranges::find(commands(), name, &Command::name);
  return found == commands().end() ? nullptr : &*found;
}

// Of the processes that mpirun started, only one does what they cannot share.
bool is_left_to_another(const Command& command, const Streams& streams) {
  const auto launched = streams.faults ? std::nullopt : launch(); // a calling program decides this itself
  if (!launched || launched->size < 2 || command.name == "sweep" || command.name == "validate" ||
      command.name == "record")
    return false;
  if (launched->rank == 0)
    streams.err << fmt::format("note: one of {} processes does this, with all cores of its machine; `kakehashi sweep` "
                               "and `validate` share theirs\n",
                               launched->size);
  return launched->rank > 0;
}

} // namespace

int run_command_line(const std::vector<std::string>& words, const Streams& streams, std::string_view revision) {
  if (words.empty())
    return refuse_usage(
        usage_error("no command given; expected " + fmt::format("{}", fmt::join(command_names(), ", "))), streams);
  // Options before the command are faults, except --help, which then is about the command.
  const auto first = std::ranges::find_if(words, [](const std::string& word) { return !word.starts_with("-"); });
  const auto* command = first == words.end() ? nullptr : find_command(*first);
  if (!command && first == words.begin())
    return refuse_usage(usage_error(fmt::format("unknown command \"{}\"", *first), closest(*first, command_names())),
                        streams);
  const auto invocation = command ? command->begin() : Invocation{program_rows().all, {}};
  const auto habits = streams.faults ? Result(Habits()) : read_habits(); // a calling program states what it wants
  if (!habits)
    return report_errors(habits.errors(), streams);
  apply(*habits, invocation.rows);
  const auto text = read_words(words, command, invocation.rows, revision);
  if (!text)
    return refuse_usage(text.errors().front(), streams, command);
  streams.out << *text;
  if (text->empty() && is_left_to_another(*command, streams))
    return 0;
  if (text->empty())
    find_shipped_files(invocation.rows);
  return delivered(text->empty() ? act_within_memory(invocation, streams, habits->has_colour) : 0, streams);
}

} // namespace kakehashi
