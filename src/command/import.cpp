#include "command/command.hpp"
#include "command/import_parts.hpp"
#include "command/shell/whole_file.hpp"
#include "input/import/known_hardware.hpp"
#include "input/json/json_document.hpp"
#include "input/platform/platform_reader.hpp"
#include "writer/export_writer.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <sstream>
#include <utility>

namespace kakehashi {
namespace {

OptionRows import_rows(ImportArguments& options) {
  return {
      {"FILE",
       "one node (lstopo's XML, NCCL's or RCCL's topology, `nvidia-smi topo -m`, `rocm-smi --showtopo`, `amd-smi "
       "topology`), the network between nodes (ibnetdiscover's list, Slurm's topology.conf or topology.yaml), one of "
       "each, or a whole machine "
       "(SimGrid's XML, InfraGraph); - reads standard input",
       &options.files},
      {"--this-machine", "instead of a node's file: the machine that this runs on", &options.this_machine},
      {"--node",
       "the type of the node, whose data sheet is the node, or completes what its file lacks: hgx-h100 (`kakehashi "
       "list "
       "nodes` names all), or the .json file of such a sheet",
       &options.type},
      {"--gpus", "take only so many GPUs of the --node", &options.gpus, Range{1, 1000}},
      {"--gpu", "the type of the GPUs, where the file does not state it: H100", &options.gpu},
      {"--pcie", "generation of the PCIe slots whose links the file does not state", &options.generation, Range{1, 6}},
      {"--sockets", "number of sockets; this and the following describe a node without a file, or what its file lacks",
       &options.sheet.sockets, Range{1, 64}},
      {"--cores", "cores of each socket", &options.sheet.cores, Range{1, 100000}},
      {"--processor", "the processor's name, which shows its family's memory, speed and links: \"Xeon Platinum 8360Y\"",
       &options.sheet.processor},
      {"--memory", "memory channels of a socket and their MT/s: 8x3200", &options.sheet.memory},
      {"--cache", "caches of a socket: \"256 MiB\"", &options.sheet.cache},
      {"--nodes", "number of equal nodes; default: 1, or the nodes in the network's file", &options.nodes,
       Range{1, 10000}},
      {"--network", "the network that joins them: " + std::string(network_forms()), &options.network},
      {"--adapters",
       "number of equal adapters of a node for the network, 1 to 64: 2; or with their rate, 100GbE:2, which then is "
       "the network's, too; or the names of those that join it: hca0,mlx5_3; default: those in the node's file but "
       "bonds, those for storage and slow ones beside others, or one",
       &options.adapters},
      {"--library",
       "the MPI library whose decision tables choose algorithms, as the platform's mpi.collectives: open-mpi-4.1",
       &options.library, OneOf(selector_names.begin(), selector_names.end())},
      {"--name", "name of the platform; default: that of the first file", &options.name},
      {"-o,--output FILE", "write the platform into this file, which is left as it was if the import fails",
       &options.output}};
}

std::string name_of(const ImportArguments& options) {
  if (!options.name.empty() || options.files.empty())
    return !options.name.empty()   ? options.name
           : options.this_machine  ? "this-machine"
           : !options.type.empty() ? std::filesystem::path(options.type).stem().string()
                                   : "cluster";
  std::string name;
  for (const char c : std::filesystem::path(options.files.front() == "-" ? "" : options.files.front()).stem().string())
    name += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' ? c : '-';
  return name.empty() ? "imported" : name;
}

// Returns the network that joins the nodes if none is stated: a switch with the rate of the node's adapters.
std::string usual_line(const Assembly& node, const std::optional<NodeSheet>& type) {
  return type ? type->network
         : adapters_for(node, link_type("infiniband")).empty() && !adapters_for(node, link_type("ethernet")).empty()
             ? "100GbE"
             : "HDR";
}

// Returns the network's line, with the adapters' rate if that is stated.
Result<std::string> line_of(const WantedAdapters& adapters, const Assembly& node, const ImportArguments& options,
                            Parts& parts) {
  if (options.network.empty()) {
    const auto line = adapters.rate.empty() ? usual_line(node, parts.type) : adapters.rate;
    parts.notes.push_back(fmt::format("no --network is given; assumed: one switch, {}", line));
    return line;
  }
  const auto cable = cable_of_line(options.network);
  if (!cable)
    return cable.errors();
  if (const auto own = adapters.rate.empty() ? std::nullopt : parse_cable(adapters.rate);
      own && (own->type != cable->type || capacity_of(*own) != capacity_of(*cable)))
    return usage_error(fmt::format("--adapters {}: those of --network {} have its rate", in_quotes(options.adapters),
                                   in_quotes(options.network)));
  return options.network;
}

Result<Blueprint> build(Parts& parts, const ImportArguments& options) {
  const auto name = name_of(options);
  if (parts.machine) {
    if (options.nodes > 0 || !options.network.empty())
      return usage_error("--nodes and --network do not go with a file that describes a whole machine");
    parts.machine->name = name;
    return std::move(*parts.machine);
  }
  auto node = parts.node ? std::move(*parts.node) : plain_node();
  if (const auto note = note_of_processor(node.processor); !note.empty())
    parts.notes.push_back(note);
  const auto adapters = read_adapters(options.adapters);
  if (!adapters)
    return adapters.errors();
  if (parts.network) {
    if (options.nodes > 0)
      return usage_error("--nodes does not go with a file that names the nodes");
    if (adapters->count > 0)
      return usage_error("--adapters: a file that names the nodes states their number; expected names of adapters");
    if (auto errors = choose_adapters(node, parts.network->ports.front().cable, *adapters, parts.notes);
        !errors.empty())
      return errors;
    return compose(name, std::move(node), *parts.network, parts.notes);
  }
  const auto add_switches = [&](Blueprint blueprint, std::size_t nodes) {
    if (parts.type && parts.type->domain)
      add_domains(blueprint, *parts.type->domain, nodes);
    return blueprint;
  };
  if (!options.adapters.empty() && options.nodes <= 1)
    return usage_error("--adapters goes with --nodes");
  if (options.nodes <= 1 && options.network.empty())
    return add_switches(compose(name, node), 1);
  if (options.nodes <= 1)
    return usage_error("--network needs --nodes, at least 2");
  const auto line = line_of(*adapters, node, options, parts);
  if (!line)
    return line.errors();
  const auto cable = cable_of_line(*line);
  if (!cable)
    return cable.errors();
  if (auto errors = choose_adapters(node, *cable, *adapters, parts.notes); !errors.empty())
    return errors;
  const auto nodes = static_cast<std::size_t>(options.nodes);
  const auto network = read_network_line(*line, nodes, node.adapters.size());
  if (!network)
    return network.errors();
  parts.descriptions.push_back(fmt::format("{} nodes, --network {}", nodes, *line));
  return add_switches(compose(name, std::move(node), *network, nodes, parts.notes), nodes);
}

// Turns faults of the platform into faults of the imported files.
Errors in_terms_of_files(Errors errors, const ImportArguments& options) {
  for (auto& error : errors) {
    error.file = !options.files.empty() ? options.files.front() : options.this_machine ? "this machine" : "data sheet";
    if (!error.place.empty())
      error.message =
          fmt::format("the platform would be faulty: {}: {}", std::exchange(error.place, ""), error.message);
    else
      error.message += "; the imported files have to join all of their devices";
  }
  return errors;
}

int import_files(const ImportArguments& options, const Streams& streams) {
  auto parts = read_parts(options);
  if (!parts)
    return report_errors(parts.errors(), streams);
  auto blueprint = build(*parts, options);
  if (!blueprint)
    return report_errors(blueprint.errors(), streams);
  blueprint->description =
      fmt::format("Imported: {}. What is assumed is marked so; put your own values there, and calibrate the fabrics.",
                  fmt::join(parts->descriptions, "; "));
  add_fabrics(*blueprint);
  if (!options.library.empty())
    (blueprint->mpi ? *blueprint->mpi : blueprint->mpi.emplace()).selector =
        from_name<Selector>(selector_names, options.library);
  std::ostringstream text;
  write_platform(*blueprint, text);
  // If the file lacks something that a platform needs, the platform's faults are reported.
  const auto document = parse_json(text.str(), blueprint->name);
  const auto platform = document ? parse_platform(*document) : Result<Platform>(document.errors());
  if (!platform)
    return report_errors(in_terms_of_files(platform.errors(), options), streams);
  for (const auto& note : parts->notes)
    streams.err << "note: " << note << '\n';
  if (options.output.empty())
    streams.out << text.str();
  else if (const auto errors = write_whole(options.output, [&](std::ostream& out) { out << text.str(); });
           !errors.empty())
    return report_errors(errors, streams);
  return 0;
}

} // namespace

const Command import_command{"import", "describe a machine from lstopo's XML, NCCL's topology and the like",
                             "  kakehashi import --this-machine -o mine.json\n"
                             "  kakehashi import node.xml -o node.json\n"
                             "  kakehashi import --node hgx-h100 --nodes 16 --network rail:NDR:8:64 -o cluster.json\n"
                             "  kakehashi import topo.txt --node hgx-h100 --nodes 4 --network NDR -o cluster.json\n"
                             "  kakehashi import --processor \"EPYC 7713\" --sockets 2 --cores 64 --cache \"256 MiB\" "
                             "--nodes 8 --network HDR --adapters 2 --library open-mpi-4.1 -o cluster.json\n"
                             "  ssh node1 nvidia-smi topo -m | kakehashi import - -o node.json\n"
                             "  kakehashi import node.xml --nodes 8 --network fat-tree:HDR:36 -o cluster.json\n",
                             takes(import_rows, import_files)};

} // namespace kakehashi
