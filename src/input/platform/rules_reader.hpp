// A user's own file of rules for the collective operations of an MPI library → rows that come before the library's
// table.
//
// Open MPI's file (coll_tuned_dynamic_rules_filename) is a list of numbers, from 6 on also JSON. MPICH's file
// (MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE) is JSON.
// (MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE) is JSON.
#pragma once

#include "input/json/json_document.hpp"
#include "model/decision.hpp"

namespace kakehashi {

// Errors: the file cannot be read, has faults, or is for another library than the selector's.
Result<CollectiveRules> read_rules(const std::string& file, Selector selector);

// Whether a text looks like such a file, and not like a platform or scenario.
bool is_rules_text(const std::string& text);
// The form of a file and its rules. The form shows which library it is for.
struct KnownRules {
  std::string_view form; // "rules of Open MPI's coll/tuned"
  bool is_of_open_mpi = false;
  CollectiveRules rules;
};
Result<KnownRules> read_any_rules(const std::string& text, const std::string& file);

// The size that Open MPI compares with a rule's size.
Measure open_mpi_measure(Collective collective);

Result<CollectiveRules> parse_open_mpi_6_rules(const JsonDocument& document);
Result<CollectiveRules> parse_open_mpi_rules(const std::string& text, const std::string& file);
Result<CollectiveRules> parse_mpich_rules(const JsonDocument& document);

} // namespace kakehashi
