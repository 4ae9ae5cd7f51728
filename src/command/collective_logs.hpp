// Logs of collective operations, with the number of ranks → scenarios with measured curves.
#pragma once

#include "command/measurements.hpp"

namespace kakehashi {

// Finds faults of the options that do not depend on the files.
Errors check_collectives(const MeasurementArguments& options);

// Reads the logs, on the platform of --platform or --merge with this text in its place. Each table of a collective
// operation that has the stated number of ranks, or does not state it, gives a scenario. Errors: those of the files; a
// log has no such table, or one with too few sizes; the platform has no room for the ranks; there is no such algorithm.
Result<std::vector<Scenario>> read_collectives(const MeasurementArguments& options, const std::string& platform);

// Returns the file of --platform or --merge.
const std::string& platform_of(const MeasurementArguments& options);

} // namespace kakehashi
