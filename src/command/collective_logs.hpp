// Logs of collective operations, and how many ranks ran them → scenarios with measured curves.
#pragma once

#include "command/measurements.hpp"

namespace kakehashi {

// Faults of the options, whatever the files hold.
Errors check_collectives(const MeasurementArguments& options);

// On the platform of --platform or --merge, with that text in its place: a scenario for each table of a collective
// operation on as many ranks as are stated, or of a table that does not state its processes. Errors: those of the
// files; a log without such a table, or with one of too few sizes; ranks that the platform has no room for; no such
// algorithm.
Result<std::vector<Scenario>> read_collectives(const MeasurementArguments& options, const std::string& platform);

// The file of that.
const std::string& platform_of(const MeasurementArguments& options);

} // namespace kakehashi
