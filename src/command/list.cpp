#include "command/command.hpp"
#include "input/platform/platform_reader.hpp"
#include "report/format.hpp"
#include "report/inventory_report.hpp"
#include "study/inventory.hpp"
#include "workload/benchmark/kind.hpp"
#include "workload/collective/registry.hpp"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fmt/ostream.h>

namespace kakehashi {
namespace {

void declare(CLI::App& app, Options& options) {
  app.add_option("WHAT", options.files, "benchmarks, algorithms, or a platform file")->required()->expected(1);
  declare_format(app, options, formats_with(&ReportFormat::inventory));
}

void list_benchmarks(std::ostream& out) {
  for (const auto& kind : benchmark_kinds())
    fmt::print(out, "{:<20} {}\n", kind.name, kind.purpose);
}

void list_algorithms(std::ostream& out) {
  for (std::size_t i = 0; i < collective_count; ++i) {
    fmt::print(out, "{:<16}", collective_names[i]);
    for (const auto& row : algorithm_table())
      if (row.collective == static_cast<Collective>(i))
        fmt::print(out, " {}", row.name);
    out << '\n';
  }
}

int list(const Options& options, const Streams& streams) {
  const auto& what = options.files.front();
  if (what == "benchmarks" || what == "algorithms") {
    if (options.format != "table")
      return report_errors({usage_fault(fmt::format("--format goes with a platform; {} are a table", what))}, streams);
    (what == "benchmarks" ? list_benchmarks : list_algorithms)(streams.out);
    return 0;
  }
  auto platform = read_platform(what);
  if (!platform) {
    if (std::filesystem::exists(what))
      return report_errors(platform.errors(), streams);
    auto fault = usage_fault(mismatch(in_quotes(what), "benchmarks, algorithms, or the file of a platform"));
    fault.suggestion = closest(what, std::vector<std::string>{"benchmarks", "algorithms"});
    return report_errors({fault}, streams);
  }
  find_format(options.format)
      ->inventory(inventory_of(std::make_shared<const Platform>(std::move(*platform))), streams.out);
  return 0;
}

} // namespace

const Command list_command{"list", "list benchmarks, algorithms, or what a platform has between its devices",
                           "  kakehashi list benchmarks\n"
                           "  kakehashi list algorithms\n"
                           "  kakehashi list platforms/colfax-mic.json\n",
                           declare, list};

} // namespace kakehashi
