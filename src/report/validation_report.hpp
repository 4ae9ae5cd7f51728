// The score → a table, CSV or JSON.
#pragma once

#include "result/validation.hpp"

#include <ostream>

namespace kakehashi {

void write_table(const Validation& validation, std::ostream& out);
void write_csv(const Validation& validation, std::ostream& out);
void write_json(const Validation& validation, std::ostream& out);

} // namespace kakehashi
