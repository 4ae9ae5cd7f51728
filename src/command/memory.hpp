// --max-memory: what a command may take of the machine.
#pragma once

#include "base/units.hpp"
#include "command/command.hpp"

namespace kakehashi {

struct Scenario;

void declare_memory(CLI::App& app, Options& options);

// As stated, or most of what is free. Errors: it is no size.
Result<Bytes> memory_limit(const Options& options);

// Nothing, or why the scenario is not begun: it takes too much memory.
Errors check_need(const Scenario& scenario, const Options& options);

} // namespace kakehashi
