// Where a command's results, faults and progress go.
#pragma once

#include "base/error.hpp"
#include "study/run/progress.hpp"

#include <functional>
#include <iosfwd>
#include <map>
#include <string>

namespace kakehashi {

struct Page;

// Results go to out, everything else to err. Who calls a command from a program of its own may give and want more as
// values.
struct Streams {
  std::ostream& out;
  std::ostream& err;
  std::size_t columns = 0;                    // of the terminal that tables are shown on, in colour; 0: there is none
  Errors* faults = nullptr;                   // instead of lines on err
  StudyProgress progress = {};                // instead of a line on a terminal
  std::function<void(const Page&)> page = {}; // that of --report, whether or not it is written, too
  std::map<std::string, std::string> texts = {}; // JSON, by the name of the file that it stands for among the words
  // Where texts are escaped for a terminal: out and err as they are, for what moves the cursor or has its own colours.
  std::ostream* raw_out = nullptr;
  std::ostream* raw_err = nullptr;
};

// Each is a line on err.
void warn(const std::vector<std::string>& warnings, const Streams& streams);

void append(Errors& errors, const Errors& more);
// Prints every error on a line of its own and returns the exit code that they call for.
int report_errors(const Errors& errors, const Streams& streams);

} // namespace kakehashi
