// What to let NCCL or RCCL take → a report.
#include "report/column.hpp"
#include "report/findings.hpp"
#include "result/gpu_tuning.hpp"
#include "writer/json_values.hpp"

#include <algorithm>
#include <fmt/ranges.h>

namespace kakehashi {
namespace {

struct TunedGpuLine {
  GpuOperation operation = GpuOperation::allreduce;
  TunedGpuRange range;
  std::vector<TunedGpuSize> sizes; // of the range
};

std::vector<TunedGpuLine> lines_of(const GpuTuning& all) {
  std::vector<TunedGpuLine> lines;
  for (const auto& operation : all.operations)
    for (const auto& range : ranges_of(operation))
      lines.push_back({operation.operation, range, {range.first, range.last + 1}});
  return lines;
}

// The library's own choices in a range, in the order of sizes.
std::string usual_choices(const TunedGpuLine& line) {
  std::vector<std::string> names;
  for (const auto& size : line.sizes) {
    auto name = fmt::format("{} {}", name_of(gpu_algorithm_names, size.usual),
                            name_of(gpu_protocol_names, size.usual_protocol));
    if (names.empty() || names.back() != name)
      names.push_back(std::move(name));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

double least_gain(const TunedGpuLine& line) {
  return std::ranges::min_element(line.sizes, {}, &TunedGpuSize::gain)->gain();
}
double most_gain(const TunedGpuLine& line) {
  return std::ranges::max_element(line.sizes, {}, &TunedGpuSize::gain)->gain();
}

ColumnsOf<TunedGpuLine> tuning_columns() {
  using Line = const TunedGpuLine&;
  return {{"operation",
           left("operation", 13),
           {},
           [](Line line) { return Datum(name_of(gpu_operation_names, line.operation)); }},
          {"from_bytes", right("from", 9), {0, Unit::size}, [](Line line) { return Datum(line.range.first->size); }},
          {"to_bytes", {}, {}, [](Line line) { return Datum(line.range.to); }},
          {"algorithm",
           left("algorithm", 9, 2),
           {},
           [](Line line) { return Datum(name_of(gpu_algorithm_names, line.range.first->algorithm)); }},
          {"protocol",
           left("protocol"),
           {},
           [](Line line) { return Datum(name_of(gpu_protocol_names, line.range.first->protocol)); }},
          {"least_gain", right("gain from", 9), {0, Unit::change}, least_gain},
          {"most_gain", right("to", 7), {0, Unit::change}, most_gain},
          {"usual", left("its own choice", 0, 2), {}, usual_choices}};
}

ReportParts parts_of(const GpuTuning& all) {
  ReportParts parts{
      Note{fmt::format("{} on {}, {} on {}: what to take, if it gains {:.0f} % or more", all.library, all.platform,
                       counted(all.ranks, "rank"), counted(all.nodes, "node"), 100 * all.margin)}};
  for (const auto& note : all.notes)
    parts.push_back(Note{note});
  parts.push_back(listing_of("", tuning_columns(), lines_of(all)));
  if (std::ranges::none_of(all.operations, [](const TunedGpuOperation& operation) {
        return std::ranges::any_of(operation.sizes, &TunedGpuSize::is_changed);
      }))
    parts.push_back(Note{"its own choices are as good as any"});
  return parts;
}

Json tree_of(const GpuTuning& all) {
  return {{"schema_version", 1},    {"platform", all.platform},
          {"library", all.library}, {"ranks", all.ranks},
          {"nodes", all.nodes},     {"margin", rounded(all.margin)},
          {"notes", all.notes},     {"choices", list_of(tuning_columns(), lines_of(all))}};
}

} // namespace

Report report_of(const GpuTuning& all) {
  return {[&] { return parts_of(all); }, [&] { return sheet_of(tuning_columns(), lines_of(all)); },
          [&] { return tree_of(all); }};
}

} // namespace kakehashi
