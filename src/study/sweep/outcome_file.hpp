// The result files of a sweep → what candidates gave, and back.
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
  static constexpr auto fields(auto& self) {
    auto& [key, outcome] = self;
    return std::tie(key, outcome);
  }
};

struct OutcomeFile {
  std::string scenario; // the file that was swept
  std::uint64_t fingerprint = 0;
  std::map<std::string, Outcome> outcomes; // by the candidates' keys
  std::size_t whole_bytes = 0;             // of the file, without a last line that was cut short
};

// Errors: not readable, or no such file; a line that was changed, or is wrong and not the last.
Result<OutcomeFile> read_outcomes(const std::string& file);

// The first line of a result file, with its end.
std::string outcome_heading(const Sweep& sweep);
// A further line, with its end.
std::string to_line(const OutcomeEntry& entry);

// A result file that grows, whole line by whole line, and that no other process writes at the same time.
class OutcomeLog {
public:
  // Creates the file if it is not there. Errors: it cannot be written, or another process has it.
  static Result<OutcomeLog> open(const std::string& file);
  OutcomeLog(OutcomeLog&& other) noexcept;
  ~OutcomeLog();

  void keep_first(std::size_t bytes); // the rest is cut off
  void append(const std::string& line);
  // Nothing, or why a line could not be written; no more were then.
  Errors errors() const;

private:
  OutcomeLog(std::string file, int descriptor) : file_(std::move(file)), descriptor_(descriptor) {}
  void fail();

  std::string file_;
  int descriptor_;
  std::size_t bytes_ = 0;
  Errors errors_;
};

} // namespace kakehashi
