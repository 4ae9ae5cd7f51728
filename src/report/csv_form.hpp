// Values → a line of CSV.
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace kakehashi {

// In quotes where commas, quotes or ends of lines ask for it.
void write_csv_line(const std::vector<std::string>& values, std::ostream& out);

} // namespace kakehashi
