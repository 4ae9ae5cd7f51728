#include "command/command.hpp"
#include "command/terminal.hpp"

#include <iostream>

int main(int argc, char** argv) {
  return kakehashi::run_command_line({argv + 1, argv + argc}, {std::cout, std::cerr, kakehashi::terminal_columns()});
}
