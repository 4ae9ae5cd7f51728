// A command line → on standard output what the program prints, a NUL, and the page of its report; on standard error
// what it prints there. A page runs this in a module of its own each time, so nothing is left over.
#include "command/command.hpp"
#include "command/shell/terminal.hpp"
#include "report/page/pages.hpp"

#include <array>
#include <iostream>
#include <sstream>

namespace kakehashi {

std::span<const Command> commands() {
  static const std::array table{simulate_command, compare_command, check_command, list_command};
  return table;
}

} // namespace kakehashi

int main(int argc, char** argv) {
  std::ostringstream page;
  kakehashi::Streams streams{.out = std::cout, .err = std::cerr};
  streams.page = [&](const kakehashi::Page& report) { write_page(report, page); };
  const int exit_code = kakehashi::run_command_line({argv + 1, argv + argc}, streams);
  std::cout << '\0' << page.str();
  return exit_code;
}
