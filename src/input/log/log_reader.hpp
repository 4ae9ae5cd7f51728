// A job's log with tables of IMB or OSU, or a table as CSV → LogTables, or their faults; a LogTable → a Curve.
#pragma once

#include "base/error.hpp"
#include "model/benchmark_fields.hpp"
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
Result<Curve> curve_of(const LogTable& table, Metric metric, std::optional<std::size_t> ranks = {});

// A measured table as CSV (bytes and latency_us, t_avg_us or mbytes_per_s) → a Curve, or all of its faults.

// Returns the file's name without its folder and without a usual ending of tables and logs. Any other text after a dot
// stays, since it may be all that distinguishes two files, such as a job's number.
std::string curve_name(const std::string& file);

// Reads the column of the wanted metric: mbytes_per_s; or latency_us or t_avg_us.
Result<Curve> read_curve(const std::string& file, Metric metric);
Result<Curve> parse_curve(const std::string& text, const std::string& file, Metric metric);

// A log or a CSV file that a scenario names as its reference → the curve of the scenario's benchmark.

// A file that ends in .csv is a table. Any other file is a log; in it, the table of the benchmark counts that has as
// many processes as there are ranks, or does not state them. Bandwidths are in the benchmark's MB. Errors: those of the
// file; there is no such table, or more than one.
Result<Curve> read_reference(const std::string& file, const Benchmark& benchmark, std::optional<std::size_t> ranks);

} // namespace kakehashi
