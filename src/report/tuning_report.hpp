// A tuning → its table, CSV and JSON: what changes, from which size on, by how much, and how sure that is.
#pragma once

#include "result/tuning.hpp"

#include <ostream>

namespace kakehashi {

void write_table(const Tuning& tuning, std::ostream& out);
void write_csv(const Tuning& tuning, std::ostream& out);
void write_json(const Tuning& tuning, std::ostream& out);

} // namespace kakehashi
