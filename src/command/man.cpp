// Writes a page for man(1) from the table of subcommands.
#include "command/command.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <ostream>

namespace kakehashi {
namespace {

// roff gives a meaning of its own to a hyphen, a backslash, and a full stop or quote at the beginning of a line.
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

void write_row(const OptionRow& row, std::ostream& out) {
  out << ".TP\n\\fB" << roff(fmt::format("{}", fmt::join(names_of(row), ", "))) << "\\fR";
  if (!is_flag(row) && !is_positional(row))
    out << " \\fI" << roff(row.value_name) << "\\fR";
  out << '\n' << roff(row.meaning);
  if (const auto usual = usual_value(row); !usual.empty())
    out << " [" << roff(usual) << ']';
  out << '\n';
}

void write_command(const Command& command, std::ostream& out) {
  auto invocation = command.begin();
  auto& rows = invocation.rows;
  const auto first_option = std::stable_partition(rows.begin(), rows.end(), is_positional);
  out << ".SS " << roff(command.name) << "\n\\fBkakehashi " << roff(command.name) << "\\fR [\\fIOPTION\\fR]...";
  for (auto row = rows.begin(); row != first_option; ++row)
    out << " \\fI" << roff(row->names) << "\\fR";
  out << "\n.PP\n" << roff(command.purpose) << '\n';
  for (const auto& row : rows)
    write_row(row, out);
  out << ".PP\nExamples:\n.PP\n.nf\n" << roff(command.examples) << ".fi\n";
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
  for (const auto& command : commands())
    write_command(command, out);
  out << ".SH EXIT STATUS\n0 success, 1 a run or comparison failed, 2 bad input or usage, 130 interrupted.\n"
         ".SH ENVIRONMENT\n.TP\n\\fBKAKEHASHI_DATA\\fR\n"
         "The folder that holds platforms/ and scenarios/, in place of the one that was installed with the program.\n";
}

int print_page(const Streams& streams) {
  write_page(streams.out);
  return 0;
}

} // namespace

const Command man_command{"man", "print the manual page", "  kakehashi man | man -l -\n", [] {
                            return Invocation{help_row().all, print_page};
                          }};

} // namespace kakehashi
