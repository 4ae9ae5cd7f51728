#include "command/command.hpp"

#include <array>

namespace kakehashi {

std::span<const Command> commands() {
  static const std::array table{simulate_command,   sweep_command,    tune_command,      compare_command,
                                explain_command,    validate_command, calibrate_command, record_command,
                                check_command,      list_command,     import_command,    export_command,
                                completion_command, man_command};
  return table;
}

} // namespace kakehashi
