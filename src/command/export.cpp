#include "study/run/export.hpp"
#include "command/command.hpp"
#include "input/platform/platform_reader.hpp"
#include "report/export_writer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kakehashi {
namespace {

struct ExportArguments {
  std::string platform; // file
  std::string fabric;
  std::string target = "simgrid";
};

OptionRows export_rows(ExportArguments& options) {
  return {
      {"PLATFORM", "the platform file", &options.platform},
      {"--fabric", "simgrid: the fabric whose routes and protocol count; needed if there are several", &options.fabric},
      {"--to", "simgrid (SimGrid's XML, for smpirun), infragraph (InfraGraph's JSON) or graphviz (for dot)",
       &options.target, OneOf{"simgrid", "infragraph", "graphviz"}}};
}

Result<const Fabric*> fabric_of(const Platform& platform, const ExportArguments& options) {
  std::vector<std::string> names;
  for (const auto& fabric : platform.fabrics)
    names.push_back(fabric.name);
  if (options.fabric.empty() && names.size() == 1)
    return &platform.fabrics.front();
  if (options.fabric.empty())
    return usage_error(fmt::format("--fabric is needed, since the platform has several: {}", fmt::join(names, ", ")));
  if (const auto* found = find_fabric(platform, options.fabric))
    return found;
  auto error =
      usage_error("--fabric: " + mismatch(in_quotes(options.fabric), fmt::format("one of {}", fmt::join(names, ", "))));
  error.suggestion = closest(options.fabric, names);
  return error;
}

int export_platform(const ExportArguments& options, const Streams& streams) {
  const auto platform = read_platform(options.platform);
  if (!platform)
    return report_errors(platform.errors(), streams);
  if (options.target == "graphviz") {
    write_graphviz(*platform, streams.out);
    return 0;
  }
  if (options.target == "infragraph") {
    write_infragraph(*platform, streams.out);
    return 0;
  }
  const auto fabric = fabric_of(*platform, options);
  if (!fabric)
    return report_errors(fabric.errors(), streams);
  const auto network = export_network(*platform, **fabric);
  if (!network)
    return report_errors(network.errors(), streams);
  write_simgrid(*network, streams.out);
  return 0;
}

} // namespace

const Command export_command{"export", "write a platform for SimGrid, InfraGraph or Graphviz",
                             "  kakehashi export mine.json --fabric ib > mine.xml\n"
                             "  smpirun -platform mine.xml -np 2 ./my-program\n"
                             "  kakehashi export platforms/tca-mic.json --to graphviz | dot -Tsvg > tca-mic.svg\n",
                             takes(export_rows, export_platform)};

} // namespace kakehashi
