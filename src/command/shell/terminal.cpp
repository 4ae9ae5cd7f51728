#include "command/shell/terminal.hpp"

#include "report/draw/chart.hpp"
#include "study/pool/team.hpp"

#include <algorithm>
#include <cstdlib>
#include <ostream>
#include <span>
#include <string_view>
#include <sys/ioctl.h>
#include <unistd.h>

namespace kakehashi {

std::size_t terminal_columns() {
  const auto text_of = [](const char* name) {
    const auto* value = std::getenv(name);
    return std::string_view(value ? value : "");
  };
  if (!isatty(STDOUT_FILENO) || launch() || !text_of("NO_COLOR").empty() || text_of("TERM") == "dumb")
    return 0;
  winsize size{};
  constexpr std::size_t usual = 80, least = 40;
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? std::max<std::size_t>(size.ws_col, least)
                                                                         : usual;
}

void show_chart(const std::optional<CurveChart>& chart, const Streams& streams) {
  if (chart && streams.columns > 0)
    write_text(*chart, streams.columns, *streams.raw_out);
}

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
