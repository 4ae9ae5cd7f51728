#include "command/command_parts.hpp"

#include <filesystem>
#include <fmt/format.h>

namespace kakehashi {

Error other_results(const std::string& file, const Sweep& sweep) {
  return input_error(
      file, "line 1",
      mismatch("results of another sweep, other files, another engine or tolerance, with or without reasons, or "
               "another version",
               fmt::format("those of {} as it is now", sweep.variants.front().scenario.file)));
}

Result<ResultFile> open_results(const std::string& file, bool resume, const Sweep& sweep) {
  ResultFile results;
  auto log = OutcomeLog::open(file);
  if (!log)
    return log.errors();
  std::error_code status;
  const auto size = std::filesystem::file_size(file, status);
  const bool is_there = !status && size > 0;
  if (is_there && !resume)
    return file_error(ErrorKind::usage, file, "is there already; --resume goes on with it");
  if (is_there) {
    auto found = read_outcomes(file);
    if (!found)
      return found.errors();
    if (found->fingerprint != sweep.fingerprint)
      return other_results(file, sweep);
    results.known = std::move(found->outcomes);
    log->keep_first(found->whole_bytes);
  } else {
    log->append(outcome_heading(sweep));
  }
  if (!log->errors().empty())
    return log->errors();
  results.log.emplace(std::move(*log));
  return results;
}

} // namespace kakehashi
