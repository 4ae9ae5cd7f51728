// A file of Open MPI's rules → its ranges of communicators and sizes, each with the one rule that decides there.
#pragma once

#include "base/error.hpp"
#include "model/decision.hpp"
#include "result/rule_grid.hpp"

namespace kakehashi {

// Errors: conditions that no range has, such as ranks that are one on each node.
Result<RuleGrid> rule_grid(const CollectiveRules& rules);

} // namespace kakehashi
