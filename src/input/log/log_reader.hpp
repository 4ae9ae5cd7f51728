// A job's log with tables of IMB or OSU, or a table as CSV → LogTables, or their faults; a LogTable → a Curve.
#pragma once

#include "base/error.hpp"
#include "model/curve.hpp"
#include "model/log.hpp"

namespace kakehashi {

// Returns all tables of a log, at least one. It skips text above, between, within and below tables, colours, and the
// launcher's ranks before each line. CSV has the columns of scenarios/reference: bytes and latency_us, mbytes_per_s and
// so on. There are at most 20 errors.
Result<std::vector<LogTable>> read_logs(const std::string& file);
Result<std::vector<LogTable>> parse_logs(const std::string& text, const std::string& file);

// Returns the bandwidths or the times: the only time column, or else the averages. If there are several groups, the
// slowest counts, as with IMB's -multi 0. Errors: the table has no such column.
Result<Curve> curve_of(const LogTable& table, Metric metric);

} // namespace kakehashi
