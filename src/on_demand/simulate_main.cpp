// kakehashi-simulate: `simulate` alone, which tools/run builds first, as it takes half as long as the whole program.
// What only that has ends this one with a status of its own; tools/run then builds the whole and starts it instead.
#include "base/memory.hpp"
#include "command/command.hpp"
#include "command/shell/terminal.hpp"
#include "input/log/log_reader.hpp"
#include "input/platform/mpi_reader.hpp"
#include "input/scenario/scenario_parts.hpp"
#include "input/trace/gpu/gpu_readers.hpp"
#include "input/trace/recording/recording_source.hpp"

#include <iostream>

namespace kakehashi {
namespace {
struct NotHere {};
} // namespace

extern const char* const revision;

std::span<const Command> commands() {
  return {&simulate_command, 1};
}

Replay read_replay(const nlohmann::json&, const std::string&, std::optional<std::size_t>, Faults&, Errors&) {
  throw NotHere();
}

Result<StepProfile> read_step_profile(const std::string&) {
  throw NotHere();
}

int recorded_ranks(const std::string&) {
  throw NotHere();
}

Result<std::vector<LogTable>> read_logs(const std::string&) {
  throw NotHere();
}

Result<Curve> curve_of(const LogTable&, Metric, std::optional<std::size_t>) {
  throw NotHere();
}

Result<CollectiveRules> read_rules(const std::string&, Selector) {
  throw NotHere();
}

} // namespace kakehashi

int main(int argc, char** argv) {
  constexpr int not_here = 69; // EX_UNAVAILABLE of sysexits.h
  kakehashi::use_large_pages(std::size_t{128} << 20);
  try {
    return kakehashi::run_command_line({argv + 1, argv + argc}, {std::cout, std::cerr, kakehashi::terminal_columns()},
                                       kakehashi::revision);
  } catch (const kakehashi::NotHere&) {
    return not_here;
  }
}
