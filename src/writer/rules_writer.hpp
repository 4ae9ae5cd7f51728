// A tuning → the files and variables with which MPI libraries follow it, and command lines.
//
// Communicators that were not run keep the library's own choice.
#pragma once

#include "base/error.hpp"
#include "result/tuning.hpp"

#include <map>
#include <ostream>

namespace kakehashi {

// The form of rules that a library reads. Open MPI 6 reads JSON.
enum class RulesForm { none, open_mpi, open_mpi_6, mpich, intel_mpi };

// Returns rules for Open MPI, for operations for which coll/tuned uses sizes. The rules of a communicator that was run
// hold up to the next one.
RuleGrid rule_grid(const Tuning& tuning);

// Write the file that coll_tuned_dynamic_rules_filename names: for Open MPI up to 5, and for 6.
void write_open_mpi_rules(const RuleGrid& grid, std::ostream& out);
void write_open_mpi_6_rules(const RuleGrid& grid, std::ostream& out);

// Writes shell lines that set I_MPI_ADJUST_….
void write_intel_mpi_rules(const Tuning& tuning, std::ostream& out);

// Returns the library's own selection of algorithms, or of ch4's compositions, with the proposals in it. A user's file
// replaces the library's whole selection, so it starts from that. Errors: `base` is no such selection.
Result<std::string> mpich_rules(const Tuning& tuning, const std::string& base, const std::string& file);

// The operations of the proposed placement with a change, each with all of its communicators, since a rule may hold up
// to the next communicator.
std::map<Collective, std::vector<const TunedOperation*>> changed_by_collective(const Tuning& tuning);
// reduce-scatter → reduce_scatter
std::string name_in_rules(Collective collective);

// Writes how to start a job with the files.
void write_rules_lines(const Tuning& tuning, RulesForm form, std::vector<std::string> files, std::ostream& out);

} // namespace kakehashi
