#include "command/command.hpp"
#include "command/node_sheets.hpp"
#include "command/shared_options.hpp"
#include "input/library/gpu_library_reader.hpp"
#include "input/platform/platform_reader.hpp"
#include "input/scenario/edits.hpp"
#include "report/format.hpp"
#include "study/machine/machine_views.hpp"
#include "workload/benchmark/kind.hpp"
#include "workload/collective/registry.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/ranges.h>

namespace kakehashi {
namespace {

struct ListArguments {
  std::string what;
  std::string format = "table";
};

OptionRows list_rows(ListArguments& options) {
  return {{"WHAT", "benchmarks, algorithms, nodes, gpu-libraries, or a platform file; - reads standard input",
           &options.what},
          format_row(options.format, format_names())};
}

Choices benchmarks() {
  Choices choices{"benchmarks", {"benchmark", "purpose"}, {}};
  for (const auto& kind : benchmark_kinds())
    choices.rows.emplace_back(kind.name, kind.purpose);
  return choices;
}

Choices algorithms() {
  Choices choices{"algorithms", {"collective", "algorithm"}, {}};
  for (std::size_t i = 0; i < collective_count; ++i)
    for (const auto& row : algorithm_table())
      if (row.collective == static_cast<Collective>(i))
        choices.rows.emplace_back(collective_names[i], row.name);
  return choices;
}

// The types of nodes that --node of import takes.
Result<Choices> nodes() {
  const auto sheets = shipped_nodes();
  if (!sheets)
    return sheets.errors();
  Choices choices{"nodes", {"node", "what it is"}, {}};
  for (const auto& sheet : *sheets)
    choices.rows.emplace_back(sheet.name, sheet.title);
  return choices;
}

// Names once each, in their order.
template <class Row> std::string names_of(const std::vector<Row>& rows, std::string (*name)(const Row&)) {
  std::vector<std::string> names;
  for (const auto& row : rows)
    if (auto text = name(row); std::ranges::find(names, text) == names.end())
      names.push_back(std::move(text));
  return fmt::format("{}", fmt::join(names, ", "));
}

Result<Choices> gpu_libraries() {
  Choices choices{"gpu-libraries", {"library", "what"}, {}};
  for (const auto* name : {"nccl", "rccl"}) {
    const auto& read = gpu_library(name);
    if (!read)
      return read.errors();
    const auto& library = **read;
    const auto add = [&](std::string_view what, std::string names) {
      choices.rows.emplace_back(fmt::format("{} {}", name, what), std::move(names));
    };
    add("releases", names_of<TunerRelease>(library.releases, [](const auto& each) { return to_text(each.from); }) +
                        " and later; usually " + to_text(library.usual));
    std::vector<std::string_view> algorithms;
    for (std::size_t i = 0; i < gpu_algorithm_count; ++i)
      if (std::ranges::count(library.lacks, static_cast<GpuAlgorithm>(i)) == 0)
        algorithms.push_back(gpu_algorithm_names[i]);
    add("algorithms", fmt::format("{}", fmt::join(algorithms, ", ")));
    add("protocols", fmt::format("{}", fmt::join(gpu_protocol_names, ", ")));
    add("GPUs", names_of<GpuGeneration>(library.generations, [](const auto& each) {
          return each.gpus.empty() ? each.name : fmt::format("{} ({})", each.name, fmt::join(each.gpus, ", "));
        }));
    add("adapters", names_of<GpuAdapter>(library.adapters, [](const auto& each) { return each.name; }));
    add("lacks", fmt::format("{}", fmt::join(library.not_modelled, "; ")));
  }
  return choices;
}

int list(const ListArguments& options, const Streams& streams) {
  const auto& what = options.what;
  for (const auto& choices : {benchmarks(), algorithms()})
    if (what == choices.what) {
      print_report(report_of(choices), options.format, streams);
      return 0;
    }
  if (what == "nodes" || what == "gpu-libraries") {
    const auto choices = what == "nodes" ? nodes() : gpu_libraries();
    if (!choices)
      return report_errors(choices.errors(), streams);
    print_report(report_of(*choices), options.format, streams);
    return 0;
  }
  const auto document = document_or_input(what, ScenarioEdits());
  auto platform = document ? parse_platform(*document) : Result<Platform>(document.errors());
  if (!platform) {
    if (document || what == "-" || std::filesystem::exists(what))
      return report_errors(platform.errors(), streams);
    auto fault = usage_error(
        mismatch(in_quotes(what), "benchmarks, algorithms, nodes, gpu-libraries, or the file of a platform"));
    fault.suggestion = closest(what, std::vector<std::string>{"benchmarks", "algorithms", "nodes", "gpu-libraries"});
    return report_errors({fault}, streams);
  }
  const auto inventory = inventory_of(std::make_shared<const Platform>(std::move(*platform)));
  print_report(report_of(inventory), options.format, streams);
  return 0;
}

} // namespace

const Command list_command{"list", "list benchmarks, algorithms, or what a platform has between its devices",
                           "  kakehashi list benchmarks\n"
                           "  kakehashi list algorithms\n"
                           "  kakehashi list gpu-libraries\n"
                           "  kakehashi list platforms/colfax-mic.json\n"
                           "  kakehashi import --this-machine | kakehashi list -\n",
                           takes(list_rows, list)};

} // namespace kakehashi
