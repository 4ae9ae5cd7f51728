// A number → its digits, as many as a reader needs.
#pragma once

#include <string>

namespace kakehashi {

// Four digits, and all of those before the point: "0.1235", "1.5", "12340". Below 0.0001 with an exponent.
std::string four_digits(double value);

} // namespace kakehashi
