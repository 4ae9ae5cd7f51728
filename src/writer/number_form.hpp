// Numbers → how formats show them.
#pragma once

#include "base/units.hpp"
#include "result/table.hpp"

#include <string>

namespace kakehashi {

// `decimals` applies to a number with a fraction.
std::string text_of(const Cell& cell, int decimals);
// Rounds to twelve digits: far more than the model's accuracy, but enough to hide how a machine rounds.
double rounded(double value);
double percent(Seconds part, Seconds whole);           // 0 if the whole is 0
std::string percent_text(Seconds part, Seconds whole); // "1.5 %"
std::string percent_text(double share);
std::string us_text(Seconds time); // "1.500"
// "+1.5 %"; a value that rounds to zero has no minus.
std::string signed_percent(double part);

} // namespace kakehashi
