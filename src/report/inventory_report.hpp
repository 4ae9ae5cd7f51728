// Choices, and a platform's latencies and bandwidths as matrices between its devices.
#pragma once

#include "result/inventory.hpp"

#include <ostream>

namespace kakehashi {

void write_table(const Choices& choices, std::ostream& out); // a line for each name
void write_csv(const Choices& choices, std::ostream& out);
void write_json(const Choices& choices, std::ostream& out);

void write_table(const PlatformInventory& inventory, std::ostream& out);
void write_csv(const PlatformInventory& inventory, std::ostream& out); // a row for each pair and fabric
void write_json(const PlatformInventory& inventory, std::ostream& out);

} // namespace kakehashi
