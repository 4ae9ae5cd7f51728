// A user's own file of rules for the collective operations of his MPI library → rows that come before its table.
//
// Open MPI's (coll_tuned_dynamic_rules_filename) is a list of numbers, MPICH's
// (MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE) is JSON.
#pragma once

#include "input/json/json_document.hpp"
#include "model/decision.hpp"

namespace kakehashi {

// Errors: the file cannot be read, has faults, or is another library's than the selector's.
Result<CollectiveRules> read_rules(const std::string& file, Selector selector);

Result<CollectiveRules> parse_open_mpi_rules(const std::string& text, const std::string& file);
Result<CollectiveRules> parse_mpich_rules(const JsonDocument& document);

} // namespace kakehashi
