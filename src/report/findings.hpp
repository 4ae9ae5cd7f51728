// Each kind of finding → its report.
#pragma once

#include "report/report.hpp"

namespace kakehashi {

struct Choices;
struct PlatformInventory;
struct Sensitivity;

Report report_of(const Choices& choices);
Report report_of(const PlatformInventory& inventory);
Report report_of(const Sensitivity& sensitivity);

} // namespace kakehashi
