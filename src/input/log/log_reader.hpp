// A job's log with tables of IMB or OSU in it, or a table as CSV → LogTables, or their faults; a LogTable → Curve.
#pragma once

#include "base/error.hpp"
#include "model/curve.hpp"
#include "model/log.hpp"

namespace kakehashi {

// All tables of a log, at least one. Text above, between, within and below tables is passed over, as are colours and
// the launcher's ranks before each line. CSV has the columns of scenarios/reference: bytes and latency_us,
// mbytes_per_s and so on. At most 20 errors are returned.
Result<std::vector<LogTable>> read_logs(const std::string& file);
Result<std::vector<LogTable>> parse_logs(const std::string& text, const std::string& file);

// The bandwidths, or the times: those of the only time column, else the averages. Of several groups the slowest counts,
// as with IMB's -multi 0. Errors: the table has no such column.
Result<Curve> curve_of(const LogTable& table, Metric metric);

} // namespace kakehashi
