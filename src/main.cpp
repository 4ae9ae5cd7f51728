#include "base/memory.hpp"
#include "command/command.hpp"
#include "command/shell/terminal.hpp"

#include <iostream>

namespace kakehashi {
extern const char* const revision; // the commit that this was built from; empty: unknown (tools/package/revision.cmake)
}

int main(int argc, char** argv) {
  kakehashi::use_large_pages(std::size_t{128} << 20);
  return kakehashi::run_command_line({argv + 1, argv + argc}, {std::cout, std::cerr, kakehashi::terminal_columns()},
                                     kakehashi::revision);
}
