#include "input/log/reference_reader.hpp"

#include "input/log/curve_reader.hpp"
#include "input/log/log_reader.hpp"
#include "workload/benchmark/kind.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kakehashi {
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
  auto curve = curve_of(*fitting.front(), metric);
  if (curve && metric == Metric::bandwidth)
    for (auto& point : curve->points)
      point.value *= fitting.front()->bytes_per_mbyte.value_or(1e6) / 1e6;
  return curve;
}

} // namespace kakehashi
