// --max-memory: what a command may take of the machine.
#pragma once

#include "base/units.hpp"
#include "command/command.hpp"

namespace kakehashi {

struct Scenario;

OptionRows memory_row(std::string& limit);

// As stated, or most of what is free. Errors: it is no size.
Result<Bytes> memory_limit(const std::string& stated);

// Nothing, or why the scenario is not begun: it takes too much memory.
Errors check_need(const Scenario& scenario, const std::string& stated_limit);

} // namespace kakehashi
