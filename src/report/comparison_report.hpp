// Several ways to do the same → a table, CSV or JSON.
#pragma once

#include "result/comparison.hpp"

#include <ostream>

namespace kakehashi {

void write_table(const Comparison& comparison, std::ostream& out);
void write_csv(const Comparison& comparison, std::ostream& out);
void write_json(const Comparison& comparison, std::ostream& out);

} // namespace kakehashi
