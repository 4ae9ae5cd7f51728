#include "command/command.hpp"
#include "command/node_sheets.hpp"
#include "command/shared_options.hpp"
#include "input/platform/platform_reader.hpp"
#include "input/scenario/edits.hpp"
#include "report/format.hpp"
#include "study/machine/machine_views.hpp"
#include "workload/benchmark/kind.hpp"
#include "workload/collective/registry.hpp"

#include <filesystem>

namespace kakehashi {
namespace {

struct ListArguments {
  std::string what;
  std::string format = "table";
};

OptionRows list_rows(ListArguments& options) {
  return {{"WHAT", "benchmarks, algorithms, nodes, or a platform file; - reads standard input", &options.what},
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

int list(const ListArguments& options, const Streams& streams) {
  const auto& what = options.what;
  for (const auto& choices : {benchmarks(), algorithms()})
    if (what == choices.what) {
      print_report(report_of(choices), options.format, streams);
      return 0;
    }
  if (what == "nodes") {
    const auto choices = nodes();
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
    auto fault = usage_error(mismatch(in_quotes(what), "benchmarks, algorithms, nodes, or the file of a platform"));
    fault.suggestion = closest(what, std::vector<std::string>{"benchmarks", "algorithms", "nodes"});
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
                           "  kakehashi list platforms/colfax-mic.json\n"
                           "  kakehashi import --this-machine | kakehashi list -\n",
                           takes(list_rows, list)};

} // namespace kakehashi
