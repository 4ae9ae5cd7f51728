// Several ways to do the same → a table, CSV or JSON.
#pragma once

#include "report/report.hpp"
#include "result/comparison.hpp"

namespace kakehashi {

void write(const Comparison& comparison, Format format, std::ostream& out);

} // namespace kakehashi
