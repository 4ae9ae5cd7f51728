// The output of a benchmark of IMB or OSU in a job log: tables with a row for each message size.
#pragma once

#include "base/units.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kakehashi {

enum class Suite { none, imb, osu }; // none: a CSV file, or a log cut off above its header

// A column that the table does not have is nothing.
struct LogRow {
  Bytes size;                         // 0 where the table has no sizes, as that of a barrier
  std::optional<std::uint64_t> group; // with IMB's -multi 1: one row for each size and group
  std::optional<std::uint64_t> repetitions;
  std::optional<double> t_us; // the only time that is printed; of nonblocking benchmarks that of pure communication
  std::optional<double> t_min_us;
  std::optional<double> t_max_us;
  std::optional<double> t_avg_us;
  std::optional<double> mbytes_per_s; // in the table's MB
  std::optional<double> messages_per_s;
};

struct LogTable {
  std::string file;
  std::size_t line = 0; // of the header
  Suite suite = Suite::none;
  std::string benchmark;                  // such as imb-pingpong, osu-mbw_mr; empty if the log does not tell
  std::string printed_name;               // such as Multi-PingPong; empty if the log does not tell
  std::string version;                    // such as 2019 Update 6, 5.6.2; empty if the log does not tell
  std::optional<std::uint64_t> processes; // of all groups together
  std::optional<std::uint64_t> groups;    // of IMB's -multi
  std::optional<std::uint64_t> waiting;   // further processes, which IMB let wait in a barrier
  std::optional<std::uint64_t> window;    // messages in flight, of osu-mbw_mr
  std::optional<double> bytes_per_mbyte;  // 1e6 or 2^20; nothing if neither rows nor version tell
  std::vector<LogRow> rows;               // by size, then group
  std::size_t failed_rows = 0;            // sizes that IMB gave up: out of memory, integer overflow, time limit
};

} // namespace kakehashi
