// The output of an IMB or OSU benchmark in a job log: tables with one row for each message size.
#pragma once

#include "base/units.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kakehashi {

enum class Suite { none, imb, osu }; // none: a CSV file, or a log without its header

// Columns that the table lacks are nothing.
struct LogRow {
  Bytes size;                         // 0 in tables without sizes, such as that of a barrier
  std::optional<std::uint64_t> group; // with IMB's -multi 1, which prints a row for each size and group
  std::optional<std::uint64_t> repetitions;
  std::optional<double> t_us; // the time, if only one is printed; of a nonblocking benchmark that of pure communication
  std::optional<double> t_min_us;
  std::optional<double> t_max_us;
  std::optional<double> t_avg_us;
  std::optional<double> mbytes_per_s; // in the table's MB
  std::optional<double> messages_per_s;
};

struct LogTable {
  std::string file;
  std::size_t line = 0; // line of the header
  Suite suite = Suite::none;
  std::string benchmark;                  // such as imb-pingpong, osu-mbw_mr; empty: the log does not show it
  std::string printed_name;               // such as Multi-PingPong; empty: the log does not show it
  std::string version;                    // such as 2019 Update 6, 5.6.2; empty: the log does not show it
  std::optional<std::uint64_t> processes; // number of processes of all groups together
  std::optional<std::uint64_t> groups;    // from IMB's -multi
  std::optional<std::uint64_t> waiting;   // further processes, which wait in a barrier (IMB)
  std::optional<std::uint64_t> window;    // messages in flight (osu-mbw_mr)
  std::optional<double> bytes_per_mbyte;  // 1e6 or 2^20; nothing: neither rows nor version show it
  std::vector<LogRow> rows;               // rows by size, then group
  std::size_t failed_rows = 0;            // sizes that IMB skipped: out of memory, integer overflow, time limit
};

} // namespace kakehashi
