// A tuning → the files and variables by which MPI libraries take what it proposes, and lines to paste.
//
// Communicators that were not run keep the library's own choice.
#pragma once

#include "base/error.hpp"
#include "result/rule_grid.hpp"
#include "result/tuning.hpp"

#include <ostream>

namespace kakehashi {

// The form of rules that a library reads. Of Open MPI 6 it is JSON.
enum class RulesForm { none, open_mpi, open_mpi_6, mpich, intel_mpi };
RulesForm rules_form(Selector library);

// For Open MPI, of operations for which coll/tuned goes by sizes. The rules of a communicator that was run hold up to
// the next one.
RuleGrid rule_grid(const Tuning& tuning);

// What coll_tuned_dynamic_rules_filename names, of Open MPI up to 5, and of 6.
void write_open_mpi_rules(const RuleGrid& grid, std::ostream& out);
void write_open_mpi_6_rules(const RuleGrid& grid, std::ostream& out);

// Lines of a shell that set I_MPI_ADJUST_….
void write_intel_mpi_rules(const Tuning& tuning, std::ostream& out);

// The library's own selection of algorithms, or of ch4's compositions, with what is proposed in it. A file of the
// user's takes the place of all of the library's, so it begins from that. Errors: it is no such selection.
Result<std::string> mpich_rules(const Tuning& tuning, const std::string& base, const std::string& file);

// How to start a job with the files.
void write_rules_lines(const Tuning& tuning, RulesForm form, const std::vector<std::string>& files, std::ostream& out);

} // namespace kakehashi
