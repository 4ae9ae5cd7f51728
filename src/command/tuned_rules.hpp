// The files of rules that `tune` writes: what the options ask for, checked before anything runs.
#pragma once

#include "input/platform/mpich_base.hpp"
#include "writer/rules_writer.hpp"

namespace kakehashi {

struct RulesOutput {
  std::string file; // empty: none is asked for
  RulesForm form = RulesForm::none;
  MpichBase base{}; // of MPICH: its own selections
};

// Errors: the library has no files of rules, its own selection is missing, or a file cannot be written.
Result<RulesOutput> rules_output(const std::string& file, const std::vector<std::string>& base, Selector library);

// Returns the files that were written.
Result<std::vector<std::string>> write_rules(const RulesOutput& output, const Tuning& tuning);

} // namespace kakehashi
