#include "command/shell/streams.hpp"

#include <algorithm>
#include <ostream>
#include <span>

namespace kakehashi {

void warn(const std::vector<std::string>& warnings, const Streams& streams) {
  for (const auto& warning : warnings)
    streams.err << "warning: " << warning << '\n';
}

void append(Errors& errors, const Errors& more) {
  errors.insert(errors.end(), more.begin(), more.end());
}

int report_errors(const Errors& errors, const Streams& streams) {
  constexpr std::size_t most_told = 32;
  if (streams.faults) {
    streams.faults->insert(streams.faults->end(), errors.begin(), errors.end());
    return exit_code(errors);
  }
  for (const auto& error : std::span(errors).first(std::min(most_told, errors.size())))
    streams.err << "error: " << to_text(error) << '\n';
  if (errors.size() > most_told)
    streams.err << "error: and " << errors.size() - most_told << " more\n";
  return exit_code(errors);
}

} // namespace kakehashi
