// The result files of a sweep → what candidates gave.
#pragma once

#include "base/error.hpp"
#include "model/sweep.hpp"
#include "result/outcome.hpp"

#include <map>

namespace kakehashi {

// A line of a result file but the first.
struct OutcomeEntry {
  std::string key; // of the candidate
  Outcome outcome;
  static constexpr auto fields() { return std::tuple(&OutcomeEntry::key, &OutcomeEntry::outcome); }
};

struct OutcomeFile {
  std::string scenario; // the file that was swept
  std::uint64_t fingerprint = 0;
  std::map<std::string, Outcome> outcomes; // by the candidates' keys
  std::size_t whole_bytes = 0;             // of the file, without a last line that was cut short
};

// Errors: not readable, or no such file; a wrong line that is not the last.
Result<OutcomeFile> read_outcomes(const std::string& file);

// The first line of a result file, with its end.
std::string outcome_heading(const Sweep& sweep);
// A further line, with its end.
std::string to_line(const OutcomeEntry& entry);

} // namespace kakehashi
