// The destinations of a command's results, faults and progress.
#pragma once

#include "base/error.hpp"
#include "study/pool/progress.hpp"

#include <functional>
#include <iosfwd>
#include <map>
#include <string>

namespace kakehashi {

struct Page;

// Results go to `out`, everything else to `err`. A program that calls a command may pass further input, and get more as
// values.
struct Streams {
  std::ostream& out;
  std::ostream& err;
  std::size_t columns = 0;                       // width of the terminal that shows tables, in colour; 0: there is none
  Errors* faults = nullptr;                      // gets faults instead of lines on err
  StudyProgress progress = {};                   // replaces the line on a terminal
  std::function<void(const Page&)> page = {};    // gets the page of --report, whether or not that is written
  std::map<std::string, std::string> texts = {}; // JSON, by the name of the file that it replaces
  // Out and err without the escaping for a terminal, for text that moves the cursor or has colours of its own.
  std::ostream* raw_out = nullptr;
  std::ostream* raw_err = nullptr;
};

// Prints each warning on a line of err.
void warn(const std::vector<std::string>& warnings, const Streams& streams);

void append(Errors& errors, const Errors& more);
// Prints every error on a line of its own, and returns the exit code for them.
int report_errors(const Errors& errors, const Streams& streams);

} // namespace kakehashi
