// What a log of nccl-tests shows → a report.
#include "report/column.hpp"
#include "report/findings.hpp"
#include "result/gpu_explanation.hpp"
#include "writer/json_values.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/ranges.h>

namespace kakehashi {
namespace {

// The usual error of the model on machines that nobody tuned it for.
constexpr double usual_gpu_error = 0.2;

std::string gpu_error_text(double error) {
  const double factor = std::exp(error);
  return factor < 2 ? percent_text(factor - 1) : fmt::format("a factor of {:.1f}", factor);
}

// A row with its table and its number of ranks.
struct GpuLogLine {
  const GpuLogTable* table = nullptr;
  const GpuLogRow* row = nullptr;
  double factor = 1; // of the bus bandwidth
};

ColumnsOf<GpuLogLine> gpu_log_columns() {
  using Line = const GpuLogLine&;
  const auto bus = [](Line line, Seconds time) {
    return line.factor * static_cast<double>(line.row->size.count) / time.value / 1e9;
  };
  return {{"table", {}, {}, [](Line line) { return Datum(line.table->name); }},
          {"benchmark", {}, {}, [](Line line) { return Datum(line.table->benchmark); }},
          {"bytes", right("size", 9), {0, Unit::size}, [](Line line) { return Datum(line.row->size); }},
          {"measured_us", right("measured (us)", 14), {2}, [](Line line) { return Datum(line.row->measured); }},
          {"expected_us", right("expected", 11), {2}, [](Line line) { return Datum(line.row->expected.time); }},
          {"error",
           right("off by", 9),
           {1, Unit::change},
           [](Line line) { return Datum(line.row->expected.time / line.row->measured - 1); }},
          {"measured_busbw", right("busbw", 9), {2}, [bus](Line line) { return Datum(bus(line, line.row->measured)); }},
          {"expected_busbw",
           right("expected", 9),
           {2},
           [bus](Line line) { return Datum(bus(line, line.row->expected.time)); }},
          {"algorithm",
           left("algorithm", 9, 2),
           {},
           [](Line line) {
             const auto& algorithm = line.row->expected.algorithm;
             return Datum(algorithm ? name_of(gpu_algorithm_names, *algorithm) : "send/recv");
           }},
          {"protocol", left("protocol"), {}, [](Line line) {
             return Datum(name_of(gpu_protocol_names, line.row->expected.protocol));
           }}};
}

std::vector<GpuLogLine> lines_of(const GpuLogExplanation& all, const GpuLogTable& table) {
  std::vector<GpuLogLine> lines;
  for (const auto& row : table.rows)
    lines.push_back({&table, &row, bus_factor(table.operation, static_cast<double>(all.ranks))});
  return lines;
}

void add_verdict(const GpuLogExplanation& all, ReportParts& parts) {
  const auto item = [](const TriedFault& fault) {
    return Item{fmt::format("{:>16}  {}", gpu_error_text(fault.error), fault.what)};
  };
  parts.push_back(Note{fmt::format("expected times are off by {} on average", gpu_error_text(all.error))});
  if (all.faults.empty())
    return;
  const auto& best = all.faults.front();
  if (!all.is_explained) {
    parts.push_back(Note{all.error < usual_gpu_error
                             ? "no sign of a fault: the log is as expected, and no fault explains it clearly better"
                             : "no single fault explains it; the nearest leave"});
    if (all.error < usual_gpu_error)
      return;
  } else {
    parts.push_back(Note{fmt::format("one fault would explain {}: {}",
                                     best.error < usual_gpu_error ? "it" : "most of it, not all", best.what)});
    for (std::size_t i = 1; i < all.equal; ++i)
      parts.push_back(Note{"or, as well: " + all.faults[i].what, 1});
    std::vector<std::string> checks;
    for (std::size_t i = 0; i < all.equal; ++i)
      if (const auto& check = all.faults[i].check; std::ranges::find(checks, check) == checks.end())
        checks.push_back(check);
    for (const auto& check : checks)
      parts.push_back(Note{"look at " + check, 1});
    parts.push_back(Note{"off by, with each fault by itself"});
  }
  constexpr std::size_t most_items = 4;
  for (std::size_t i = 0; i < std::min(std::max(most_items, all.equal + 2), all.faults.size()); ++i)
    parts.push_back(item(all.faults[i]));
}

ReportParts parts_of(const GpuLogExplanation& all) {
  ReportParts parts{Note{fmt::format("{} on {}, {}", all.library, all.platform, counted(all.ranks, "rank"))}};
  for (const auto& note : all.notes)
    parts.push_back(Note{note});
  for (const auto& table : all.tables)
    parts.push_back(
        listing_of(fmt::format("{}: {}, off by {}", table.name, table.benchmark, gpu_error_text(table.error)),
                   gpu_log_columns(), lines_of(all, table)));
  add_verdict(all, parts);
  return parts;
}

Sheet sheet_of(const GpuLogExplanation& all) {
  std::vector<GpuLogLine> lines;
  for (const auto& table : all.tables)
    std::ranges::move(lines_of(all, table), std::back_inserter(lines));
  return sheet_of(gpu_log_columns(), lines);
}

Json tree_of(const GpuLogExplanation& all) {
  Json json{{"schema_version", 1},
            {"platform", all.platform},
            {"library", all.library},
            {"ranks", all.ranks},
            {"notes", all.notes}};
  auto columns = gpu_log_columns();
  columns.erase(columns.begin(), columns.begin() + 2); // the table
  json["tables"] = json_list(all.tables, [&](const GpuLogTable& table) {
    return Json{{"name", table.name},
                {"benchmark", table.benchmark},
                {"error", rounded(table.error)},
                {"rows", list_of(columns, lines_of(all, table))}};
  });
  json.update({{"error", rounded(all.error)}, {"is_explained", all.is_explained}, {"equal_faults", all.equal}});
  json["faults"] = json_list(all.faults, [](const TriedFault& fault) {
    return Json{{"kind", fault.kind}, {"what", fault.what}, {"check", fault.check}, {"error", rounded(fault.error)}};
  });
  return json;
}

} // namespace

Report report_of(const GpuLogExplanation& all) {
  return {[&] { return parts_of(all); }, [&] { return sheet_of(all); }, [&] { return tree_of(all); }};
}

} // namespace kakehashi
