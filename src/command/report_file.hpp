// What a command found, as a page → the files of --report and --plot, which several commands have in common.
#pragma once

#include "command/command.hpp"
#include "report/page/page.hpp"

namespace kakehashi {

void declare_report(CLI::App& app, Options& options);

bool wants_report(const Options& options);
// What would keep the files from being written, before a long run.
Errors check_report(const Options& options);

// Makes the page only if there is one to write. Files appear whole or not at all.
Errors write_report_files(const Page& page, const Options& options);
template <class Make> Errors write_reports(const Options& options, const Make& make) {
  return wants_report(options) ? write_report_files(make(), options) : Errors();
}

} // namespace kakehashi
