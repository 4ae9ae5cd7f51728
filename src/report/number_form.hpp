// Numbers → how formats show them.
#pragma once

#include "base/units.hpp"
#include "result/table.hpp"

#include <string>

namespace kakehashi {

// decimals: of a number with a fraction.
std::string text_of(const Cell& cell, int decimals);
// Twelve digits are far more than the model is worth, and hide how a machine rounds.
double rounded(double value);
double percent(Seconds part, Seconds whole);           // 0 of nothing
std::string percent_text(Seconds part, Seconds whole); // "1.5 %"
std::string percent_text(double share);
std::string us_text(Seconds time);                     // "1.500"
// "+1.5 %"; what rounds to nothing has no minus.
std::string signed_percent(double part);

} // namespace kakehashi
