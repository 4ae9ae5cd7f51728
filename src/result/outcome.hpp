// What running a candidate of a sweep gave, as a value and as a line of text.
#pragma once

#include "base/units.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace kakehashi {

// What running a candidate gave.
struct Outcome {
  Seconds time;        // of the objective: summed over the sizes, of boss_worker for one work item
  double rate = 0;     // MB/s of the largest size, or work items per second; 0: there is none
  std::string step;    // of a ring: the slowest one
  std::string reason;  // what most of the time goes into
  std::string failure; // why there is no time; else empty
};

// One line without its end; the same number for number when it is read back. Nothing if a line is of another form.
std::string to_line(const Outcome& outcome);
std::optional<Outcome> outcome_of(std::string_view line);

} // namespace kakehashi
