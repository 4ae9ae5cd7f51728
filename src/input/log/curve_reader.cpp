#include "input/log/log_reader.hpp"

#include "base/number.hpp"
#include "base/text.hpp"
#include "input/json/json_document.hpp"
#include "workload/benchmark/kind.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sstream>

namespace kakehashi {
namespace {

// Reads the next line, which LF or CR LF ends.
bool next_line(std::istream& stream, std::string& line) {
  if (!std::getline(stream, line))
    return false;
  if (line.ends_with('\r'))
    line.pop_back();
  return true;
}

std::optional<std::size_t> find_column(const std::vector<std::string>& header,
                                       std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (const auto found = std::find(header.begin(), header.end(), name); found != header.end())
      return static_cast<std::size_t>(found - header.begin());
  return std::nullopt;
}

} // namespace

std::string curve_name(const std::string& file) {
  const std::filesystem::path path(file);
  constexpr std::array<std::string_view, 7> endings{".txt", ".csv", ".log", ".out", ".dat", ".tsv", ".json"};
  const bool is_known = std::ranges::find(endings, path.extension().string()) != endings.end();
  return (is_known ? path.stem() : path.filename()).string();
}

Result<Curve> parse_curve(const std::string& text, const std::string& file, Metric metric) {
  Curve curve{curve_name(file), file, metric, {}};
  Errors errors;
  std::size_t line_number = 1;
  const auto fault = [&](std::string message) {
    errors.push_back(input_error(file, fmt::format("line {}", line_number), std::move(message)));
  };
  std::istringstream stream(text);
  std::string line;
  next_line(stream, line);
  const auto header = split(line, ',');
  const auto size_column = find_column(header, {"bytes"});
  const auto value_column = metric == Metric::bandwidth ? find_column(header, {"mbytes_per_s"})
                                                        : find_column(header, {"latency_us", "t_avg_us"});
  if (!size_column || !value_column) {
    fault(mismatch(in_quotes(line), metric == Metric::bandwidth
                                        ? "a header with the columns bytes and mbytes_per_s"
                                        : "a header with the columns bytes and latency_us or t_avg_us"));
    return errors;
  }
  while (next_line(stream, line)) {
    ++line_number;
    if (line.empty())
      continue;
    const auto cells = split(line, ',');
    if (cells.size() != header.size()) {
      fault(mismatch(counted(cells.size(), "column"), fmt::format("{}", header.size())));
      continue;
    }
    const auto size = number_in<std::uint64_t>(cells[*size_column]);
    const auto value = number_in<double>(cells[*value_column]);
    if (!size)
      fault(mismatch(in_quotes(cells[*size_column]), "a number of bytes"));
    else if (!value || !std::isfinite(*value) || *value < 0)
      fault(mismatch(in_quotes(cells[*value_column]), "a measured value"));
    else if (Bytes{*size} > largest_size)
      fault(mismatch(in_quotes(cells[*size_column]), bytes_range));
    else if (!is_measurable(*value))
      fault(mismatch(in_quotes(cells[*value_column]), "0, or between 1e-9 and 1e12"));
    else if (!curve.points.empty() && Bytes{*size} <= curve.points.back().size)
      fault(mismatch(fmt::format("{} B after {} B", *size, curve.points.back().size.count), "growing sizes"));
    else
      curve.points.push_back({Bytes{*size}, *value});
  }
  if (curve.points.empty() && errors.empty())
    fault("there are no rows below the header");
  if (!errors.empty())
    return errors;
  return curve;
}

Result<Curve> read_curve(const std::string& file, Metric metric) {
  const auto text = read_text(file);
  if (!text)
    return text.errors();
  return parse_curve(*text, file, metric);
}

namespace {

// IMB prints Reduce_scatter, and osu_mbw_mr with one pair is osu_bw.
std::string known_name(const LogTable& table) {
  auto name = table.benchmark;
  std::ranges::replace(name, '_', '-');
  if (name == "osu-mbw-mr" && table.processes.value_or(2) == 2)
    return "osu-bw";
  return name;
}

std::string title_of(const std::string& benchmark, std::optional<std::uint64_t> processes) {
  return processes ? fmt::format("{} of {} processes", benchmark, *processes) : benchmark;
}

} // namespace

Result<Curve> read_reference(const std::string& file, const Benchmark& benchmark, std::optional<std::size_t> ranks) {
  const auto metric = kind_of(benchmark).metric;
  if (file.ends_with(".csv"))
    return read_curve(file, metric);
  const auto tables = read_logs(file);
  if (!tables)
    return tables.errors();
  std::vector<const LogTable*> fitting;
  std::vector<std::string> others;
  auto wanted = benchmark.name;
  std::ranges::replace(wanted, '_', '-');
  for (const auto& table : *tables)
    if (known_name(table) == wanted && (!ranks || !table.processes || *table.processes == *ranks))
      fitting.push_back(&table);
    else if (const auto title =
                 title_of(table.benchmark.empty() ? "a table without a title" : table.benchmark, table.processes);
             !std::ranges::count(others, title))
      others.push_back(title);
  const auto expected = fmt::format("one table of {}", title_of(benchmark.name, ranks));
  if (fitting.size() != 1)
    return file_error(ErrorKind::input, file,
                      mismatch(fitting.empty() ? fmt::format("{}", fmt::join(others, ", "))
                                               : fmt::format("{}, at lines {} and {}", counted(fitting.size(), "table"),
                                                             fitting[0]->line, fitting[1]->line),
                               expected));
  auto curve = curve_of(*fitting.front(), metric, ranks);
  if (curve && metric == Metric::bandwidth)
    for (auto& point : curve->points)
      point.value *= fitting.front()->bytes_per_mbyte.value_or(1e6) / 1e6;
  return curve;
}

} // namespace kakehashi
