// The page of a command's result → the files of --report and --plot, which several commands have in common.
#pragma once

#include "command/command.hpp"
#include "report/page/page.hpp"

namespace kakehashi {

OptionRows report_rows(Options& options);

bool wants_report(const Options& options); // a file
bool wants_page(const Options& options, const Streams& streams);
// Faults that would keep the files from being written, found before a long run.
Errors check_report(const Options& options);

// Makes the page only if somebody wants it. Files appear whole or not at all.
Errors deliver_page(const Page& page, const Options& options, const Streams& streams);
template <class Make> Errors write_reports(const Options& options, const Streams& streams, const Make& make) {
  return wants_page(options, streams) ? deliver_page(make(), options, streams) : Errors();
}

} // namespace kakehashi
