// The key "mpi" of a platform or a scenario → the settings of the MPI library.
#pragma once

#include "base/error.hpp"
#include "input/json/fields.hpp"
#include "input/json/json_document.hpp"
#include "model/decision.hpp"
#include "model/mpi_settings.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kakehashi {

// `elsewhere` gets the faults of the file of rules, if one is named.
MpiSettings read_mpi(const JsonDocument& document, Faults& faults, Errors& elsewhere);

// Returns the settings with the decision tables of that name, or with the operation's algorithm of that name; none if
// it names neither.
std::optional<MpiSettings> with_library(MpiSettings settings, Collective collective, std::string_view name);

// MPICH's own selections of algorithms, from files of its sources or from its shared library.
struct MpichSelection {
  std::string file; // where it is from
  std::string text; // JSON
};
struct MpichBase {
  MpichSelection mpir;
  std::optional<MpichSelection> compositions; // the compositions of ch4
  // "4.0", or "4.1" for all later ones, by the functions that it has; empty: they do not show it.
  std::string_view release;
};

// `files` are generic.json of mpir, and optionally that of ch4, or a shared library, which has both. Errors: a file
// cannot be read; a library has no selection.
Result<MpichBase> read_mpich_base(const std::vector<std::string>& files);

// A user's own file of rules for the collective operations of an MPI library → rows that come before the library's
// table.
//
// Open MPI's file (coll_tuned_dynamic_rules_filename) is a list of numbers, from 6 on also JSON. MPICH's file
// (MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE) is JSON.
// (MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE) is JSON.

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
