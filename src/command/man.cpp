// The table of subcommands → a page for man(1).
#include "command/command.hpp"
#include "command/manual.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <ostream>
#include <sstream>

namespace kakehashi {
namespace {

// A hyphen that is typed, a backslash, and a full stop or quote that begins a line mean something else to roff.
std::string roff(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if ((c == '.' || c == '\'') && (escaped.empty() || escaped.back() == '\n'))
      escaped += "\\&";
    if (c == '\\')
      escaped += "\\e";
    else if (c == '-')
      escaped += "\\-";
    else
      escaped += c;
  }
  return escaped;
}

std::string synopsis(const CommandManual& command) {
  auto text = fmt::format("\\fBkakehashi {}\\fR [\\fIOPTION\\fR]...", roff(command.name));
  for (const auto& positional : command.positionals)
    text += fmt::format(" \\fI{}\\fR", roff(positional.names.front()));
  return text;
}

void write_option(const OptionManual& option, std::ostream& out) {
  out << ".TP\n\\fB" << roff(fmt::format("{}", fmt::join(option.names, ", "))) << "\\fR";
  const bool is_positional = !option.names.front().starts_with("-");
  if (option.takes_value && !is_positional)
    out << " \\fI" << roff(option.value_name) << "\\fR";
  out << '\n' << roff(option.purpose);
  if (!option.usual.empty())
    out << " [" << roff(option.usual) << ']';
  out << '\n';
}

void write_page(std::ostream& out) {
  out << ".TH KAKEHASHI 1 \"\" \"kakehashi " KAKEHASHI_VERSION "\" \"User Commands\"\n"
         ".SH NAME\n"
         "kakehashi \\- predict how long MPI messages take on clusters\n"
         ".SH SYNOPSIS\n"
         "\\fBkakehashi\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR]... [\\fIARGUMENT\\fR]...\n"
         ".SH DESCRIPTION\n"
         "Kakehashi predicts how long MPI messages and programs take on clusters whose nodes have several sockets, "
         "coprocessors, network cards or a torus between them. A platform file describes the machine, a scenario file "
         "what runs on it; both are JSON.\n"
         ".SH COMMANDS\n";
  for (const auto& command : describe_commands()) {
    out << ".SS " << roff(command.name) << '\n' << synopsis(command) << "\n.PP\n" << roff(command.purpose) << '\n';
    for (const auto& positional : command.positionals)
      write_option(positional, out);
    for (const auto& option : command.options)
      write_option(option, out);
    out << ".PP\nExamples:\n.PP\n.nf\n" << roff(command.examples) << ".fi\n";
  }
  out << ".SH EXIT STATUS\n0 success, 1 a run or comparison failed, 2 bad input or usage.\n"
         ".SH ENVIRONMENT\n.TP\n\\fBKAKEHASHI_DATA\\fR\n"
         "The folder that holds platforms/ and scenarios/, in place of the one that was installed with the program.\n";
}

int print_page(const Options&, const Streams& streams) {
  write_page(streams.out);
  return 0;
}

} // namespace

const Command man_command{"man", "print the manual page", "  kakehashi man | man -l -\n", [](CLI::App&, Options&) {},
                          print_page};

} // namespace kakehashi
