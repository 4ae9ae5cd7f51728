// Outcomes of a sweep's candidates → result files, and back.
#pragma once

#include "base/error.hpp"
#include "model/sweep.hpp"
#include "result/outcome.hpp"

#include <map>

namespace kakehashi {

// A line of a result file, after the first.
struct OutcomeEntry {
  std::string key; // key of the candidate
  Outcome outcome;
  static constexpr auto fields(auto& self) {
    auto& [key, outcome] = self;
    return std::tie(key, outcome);
  }
};

struct OutcomeFile {
  std::string scenario; // the file of the sweep
  std::uint64_t fingerprint = 0;
  std::map<std::string, Outcome> outcomes; // outcomes by the candidates' keys
  std::size_t whole_bytes = 0;             // length of the file without a last line that is incomplete
};

// Errors: the file is not readable, or is no result file; a line was changed, or is wrong and not the last.
Result<OutcomeFile> read_outcomes(const std::string& file);

// Returns the first line of a result file, with its line end.
std::string outcome_heading(const Sweep& sweep);
// Returns a further line, with its line end.
std::string to_line(const OutcomeEntry& entry);

// A result file that grows line by line. No other process may write it at the same time.
class OutcomeLog {
public:
  // Creates the file if it does not exist. Errors: the file cannot be written, or another process has it.
  static Result<OutcomeLog> open(const std::string& file);
  OutcomeLog(OutcomeLog&& other) noexcept;
  ~OutcomeLog();

  void keep_first(std::size_t bytes); // cuts off the rest
  void append(const std::string& line);
  // Returns why a line could not be written, if so; later lines were then not written either.
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
