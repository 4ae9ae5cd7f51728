// The effects of halving and doubling on the score → a table, CSV or JSON.
#pragma once

#include "result/sensitivity.hpp"

#include <ostream>

namespace kakehashi {

void write_table(const Sensitivity& sensitivity, std::ostream& out);
void write_csv(const Sensitivity& sensitivity, std::ostream& out); // a line for each line and number
void write_json(const Sensitivity& sensitivity, std::ostream& out);

} // namespace kakehashi
