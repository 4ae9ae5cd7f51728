#include "input/log/log_reader.hpp"

#include "base/number.hpp"
#include "input/json/json_document.hpp"
#include "input/log/log_parts.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace kakehashi {
namespace {

constexpr std::size_t most_errors = 20;
constexpr std::size_t most_rows = 300'000; // includes headers; keeps memory small whatever the text is

constexpr double decimal_mbyte = 1e6;
constexpr double binary_mbyte = 1 << 20;

// Returns the MB for which a row's bandwidth agrees with its size and time, if one or several messages (PingPong 1,
// Sendrecv 2, Exchange 4) make up the bandwidth. Nothing if the row lacks one of them, or its digits do not distinguish
// the two.
std::optional<double> mbyte_shown_by(const LogRow& row) {
  const auto time = row.t_max_us ? row.t_max_us : row.t_us; // IMB divides by the slowest process's time
  if (!time || *time < 10 || row.mbytes_per_s.value_or(0) < 10)
    return std::nullopt;
  for (const double messages : {1, 2, 4}) {
    const double mbyte = messages * static_cast<double>(row.size.count) / *time / *row.mbytes_per_s * 1e6;
    for (const double known : {decimal_mbyte, binary_mbyte})
      if (std::abs(mbyte / known - 1) < 0.005)
        return known;
  }
  return std::nullopt;
}

// OSU uses 1e6. IMB used 2^20 up to 4.1 and has used 1e6 since 2018; for 2017 it is unknown.
std::optional<double> mbyte_of_version(const LogTable& table) {
  if (table.suite == Suite::osu)
    return decimal_mbyte;
  std::string_view version = table.version;
  const auto release = take_number<unsigned>(version);
  if (table.suite != Suite::imb || !release || release == 2017)
    return std::nullopt;
  return release < 2017 ? binary_mbyte : decimal_mbyte;
}

// The table's rows come before its version, because sites build IMB with changes.
std::optional<double> mbyte_of(const LogTable& table) {
  if (table.suite != Suite::osu)
    for (auto row = table.rows.rbegin(); row != table.rows.rend(); ++row)
      if (const auto shown = mbyte_shown_by(*row))
        return shown;
  return mbyte_of_version(table);
}

// Takes the lines of a log one by one.
class LogScanner {
public:
  explicit LogScanner(const std::string& file) : file_(file) {}

  void take(const std::string& line) {
    ++line_number_;
    if (auto heading = heading_after(heading_, line)) {
      close_table();
      heading_ = std::move(*heading);
    } else if (auto head = table_head(line)) {
      close_table();
      open_table(std::move(*head));
    } else if (open_ && line.empty())
      after_text_ = true;
    else if (open_)
      take_row(line);
  }

  bool is_full() const { return errors_.size() >= most_errors || rows_ >= most_rows; }

  Result<std::vector<LogTable>> finish() {
    close_table();
    if (tables_.empty() && errors_.empty())
      fault(std::max<std::size_t>(line_number_, 1),
            mismatch(counted(line_number_, "line") + " without a table",
                     "a header such as \"#bytes #repetitions t[usec] Mbytes/sec\" (IMB), "
                     "\"# Size Latency (us)\" (OSU), \"# size count type redop root time algbw busbw\" (nccl-tests) or "
                     "\"bytes,latency_us\" (CSV)"));
    if (errors_.size() > most_errors)
      errors_.resize(most_errors);
    if (!errors_.empty())
      return std::move(errors_);
    return std::move(tables_);
  }

private:
  const std::string& file_;
  LogHeading heading_;
  TableHead head_;
  LogTable table_;
  bool open_ = false;           // table_ may go on
  bool after_text_ = false;     // other text follows the last row
  bool faulty_ = false;         // table_ has faults
  std::string last_row_;        // of a table of nccl-tests
  std::optional<Error> unsure_; // a fault, if table_ goes on
  std::vector<LogTable> tables_;
  Errors errors_;
  std::size_t line_number_ = 0;
  std::size_t rows_ = 0;

  Error error_at(std::size_t line, std::string message) const {
    return input_error(file_, fmt::format("line {}", line), std::move(message));
  }
  void fault(std::size_t line, std::string message) {
    errors_.push_back(error_at(line, std::move(message)));
    faulty_ = true;
  }

  void open_table(TableHead head) {
    head_ = std::move(head);
    table_ = {};
    table_.file = file_;
    table_.line = line_number_;
    if (!head_.csv) { // the benchmark did not print CSV below a title
      table_.suite = heading_.suite;
      table_.benchmark = heading_.benchmark;
      table_.printed_name = heading_.printed_name;
      table_.version = heading_.version;
      table_.processes = heading_.processes;
      table_.groups = heading_.groups;
      table_.waiting = heading_.waiting;
      table_.window = heading_.window;
    }
    open_ = true;
    after_text_ = faulty_ = false;
    count_row();
  }

  void close_table() {
    const bool is_empty = open_ && table_.rows.empty() && table_.failed_rows == 0;
    if (is_empty && unsure_)
      fault_unsure();
    else if (is_empty && !faulty_)
      fault(table_.line, "there are no rows below the header");
    if (open_ && !faulty_ && head_.is_of_gpus)
      add_gpu_facts();
    if (open_ && !faulty_) {
      table_.bytes_per_mbyte = mbyte_of(table_);
      tables_.push_back(std::move(table_));
    }
    open_ = false;
    unsure_.reset();
  }

  void add_gpu_facts() {
    const auto facts = gpu_table_facts(head_, last_row_, table_.processes);
    table_.processes = facts.processes;
    if (table_.benchmark.empty())
      table_.benchmark = facts.benchmark;
    if (table_.printed_name.empty())
      table_.printed_name = table_.benchmark;
  }

  void take_row(const std::string& line) {
    auto reading = read_line(head_, line);
    if (head_.is_of_gpus && reading.kind == LineKind::row) {
      last_row_ = line;
      // Small sizes are rounded down to 0 B, and a run may repeat sizes.
      if (reading.row.size.count == 0 || (!table_.rows.empty() && reading.row.size <= table_.rows.back().size))
        return;
    }
    switch (reading.kind) {
    case LineKind::row: add_row(reading.row); break;
    case LineKind::failed: ++table_.failed_rows; break;
    case LineKind::broken:
      if (!after_text_)
        return fault(line_number_, std::move(reading.fault));
      [[fallthrough]];
    case LineKind::unsure:
      if (!unsure_)
        unsure_ = error_at(line_number_, std::move(reading.fault));
      break;
    case LineKind::text: break;
    }
    after_text_ = reading.kind != LineKind::row && reading.kind != LineKind::failed;
  }

  void add_row(const LogRow& row) {
    if (unsure_)
      fault_unsure();
    const auto rank = [](const LogRow& other) { return std::pair(other.size, other.group); };
    if (!table_.rows.empty() && rank(row) <= rank(table_.rows.back()))
      fault(line_number_,
            mismatch(fmt::format("{} B after {} B", row.size.count, table_.rows.back().size.count), "growing sizes"));
    else {
      table_.rows.push_back(row);
      count_row();
    }
    if (!head_.has(LogColumn::size) && !head_.has(LogColumn::group))
      close_table(); // a barrier has one row, and single numbers may follow it
  }

  void fault_unsure() {
    errors_.push_back(std::move(*unsure_));
    unsure_.reset();
    faulty_ = true;
  }

  void count_row() {
    if (++rows_ == most_rows)
      fault(line_number_, mismatch("more rows", fmt::format("at most {} in all tables", most_rows)));
  }
};

struct Sought {
  std::string_view what;
  std::string_view columns;
};

Sought sought(Metric metric) {
  if (metric == Metric::bandwidth)
    return {"bandwidths", "\"Mbytes/sec\" (IMB), \"Bandwidth (MB/s)\" (OSU) or \"mbytes_per_s\" (CSV)"};
  return {"times", "\"t[usec]\" (IMB), \"Avg Latency(us)\" (OSU) or \"latency_us\" (CSV)"};
}

} // namespace

Result<std::vector<LogTable>> parse_logs(const std::string& text, const std::string& file) {
  LogScanner scanner(file);
  const std::string_view all = text;
  for (std::size_t start = 0; start < all.size() && !scanner.is_full();) {
    const auto end = std::min(all.find('\n', start), all.size());
    scanner.take(plain_line(all.substr(start, end - start)));
    start = end + 1;
  }
  return scanner.finish();
}

Result<std::vector<LogTable>> read_logs(const std::string& file) {
  const auto text = read_text(file);
  if (!text)
    return text.errors();
  return parse_logs(*text, file);
}

Result<Curve> curve_of(const LogTable& table, Metric metric, std::optional<std::size_t> ranks) {
  // osu_xccl counts the block of a rank, nccl-tests those of all.
  const bool has_blocks =
      table.suite == Suite::osu && (table.benchmark == "nccl-allgather" || table.benchmark == "nccl-alltoall");
  const std::uint64_t blocks = has_blocks ? ranks.value_or(1) : 1;
  Curve curve{curve_name(table.file), table.file, metric, {}};
  const bool bandwidth = metric == Metric::bandwidth;
  for (const auto& row : table.rows) {
    const auto value = bandwidth ? row.mbytes_per_s : row.t_us ? row.t_us : row.t_avg_us;
    if (!value)
      continue;
    const Bytes size{blocks * row.size.count};
    if (curve.points.empty() || curve.points.back().size < size)
      curve.points.push_back({size, *value});
    else {
      auto& slowest = curve.points.back().value;
      slowest = bandwidth ? std::min(slowest, *value) : std::max(slowest, *value);
    }
  }
  if (curve.points.empty()) {
    const auto [what, columns] = sought(metric);
    return input_error(table.file, fmt::format("line {}", table.line),
                       mismatch(fmt::format("a table without {}", what), fmt::format("a column such as {}", columns)));
  }
  return curve;
}

} // namespace kakehashi
