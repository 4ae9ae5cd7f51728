// The page of a command's result → the files of --report and --plot, which several commands have.
#pragma once

#include "command/command.hpp"
#include "report/page/page.hpp"

namespace kakehashi {

struct ReportArguments {
  std::string page; // files; empty: none
  std::string plot;
};
OptionRows report_rows(ReportArguments& report);

bool wants_report(const ReportArguments& report); // whether it names a file
bool wants_page(const ReportArguments& report, const Streams& streams);
// Finds faults that would keep the files from being written, before a long run.
Errors check_report(const ReportArguments& report);

// Makes the page only if it is wanted. A file is written as a whole or not at all.
Errors deliver_page(const Page& page, const ReportArguments& report, const Streams& streams);
template <class Make> Errors write_reports(const ReportArguments& report, const Streams& streams, const Make& make) {
  return wants_page(report, streams) ? deliver_page(make(), report, streams) : Errors();
}

} // namespace kakehashi
