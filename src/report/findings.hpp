// Each kind of finding → its report.
#pragma once

#include "report/report.hpp"

namespace kakehashi {

struct Choices;
struct PlatformInventory;

Report report_of(const Choices& choices);
Report report_of(const PlatformInventory& inventory);

} // namespace kakehashi
