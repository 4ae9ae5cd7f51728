#include "command/import_parts.hpp"

#include "command/shell/terminal.hpp"
#include "input/import/assembly.hpp"
#include "input/import/known_hardware.hpp"

#include <fmt/format.h>

namespace kakehashi {
namespace {

// Adds the contents of a file. Errors: two files describe the same part.
Errors add(Imported imported, const std::string& file, Parts& parts) {
  const bool is_second = (imported.node && parts.node) || (imported.network && parts.network) || parts.machine ||
                         (imported.machine && !parts.descriptions.empty());
  if (is_second)
    return {
        file_error(ErrorKind::usage, file, mismatch("a second " + imported.description, "one node and one network"))};
  for (auto& note : imported.notes)
    parts.notes.push_back(file + ": " + note);
  parts.descriptions.push_back(imported.description);
  if (imported.node)
    parts.node = std::move(imported.node);
  if (imported.network)
    parts.network = std::move(imported.network);
  if (imported.machine)
    parts.machine = std::move(imported.machine);
  return {};
}

// The type of the GPUs of a node's data sheet; null: not known.
const GpuType* gpu_type_in(const Assembly& node) {
  for (const auto& device : node.devices)
    if (device.kind == DeviceKind::gpu)
      return find_gpu_type(device.model);
  return nullptr;
}

Result<ImportOptions> stated_facts(const ImportArguments& options, const Parts& parts) {
  ImportOptions stated;
  stated.generation = options.generation;
  if (!options.network.empty())
    if (auto cable = cable_of_line(options.network))
      stated.cable = std::move(*cable);
  if (!options.gpu.empty()) {
    const auto type = stated_gpu_type(options.gpu);
    if (!type)
      return type.errors();
    stated.gpu = *type;
  } else if (parts.type) {
    stated.gpu = gpu_type_in(parts.type->node);
  }
  return stated;
}

// Puts the data sheet into the node of a file, or makes it the node.
Errors add_sheet(const DataSheet& sheet, Parts& parts) {
  if (parts.machine)
    return {usage_error("a data sheet does not go with a file that describes a whole machine")};
  parts.descriptions.push_back("a data sheet");
  if (parts.node)
    return complete(*parts.node, sheet);
  auto node = read_data_sheet(sheet);
  if (!node)
    return node.errors();
  parts.node = std::move(node->node);
  return {};
}

// Completes the nodes of files by the data sheet of their type, or makes it the node.
Errors add_type(const ImportArguments& options, Parts& parts) {
  const auto& type = *parts.type;
  parts.descriptions.push_back(fmt::format("the data sheet {}", type.name));
  const auto completed = [&](Assembly& node) {
    return complete(node, type.node, type.name, options.generation > 0, parts.notes);
  };
  if (parts.machine) {
    for (auto& [name, node] : parts.machine->templates)
      if (!devices_of(node, DeviceKind::gpu).empty())
        if (auto errors = completed(node); !errors.empty())
          return errors;
    return {};
  }
  if (parts.node)
    return completed(*parts.node);
  parts.node = type.node;
  return {};
}

} // namespace

Result<Parts> read_parts(const ImportArguments& options) {
  Parts parts;
  if (options.files.empty() && !options.this_machine && !options.sheet.states_any() && options.type.empty())
    return usage_error("nothing to import; expected a file, --this-machine, --node or --sockets");
  if (options.gpus > 0 && options.type.empty())
    return usage_error("--gpus goes with --node");
  if (!options.type.empty()) {
    auto type = find_node(options.type, options.gpus);
    if (!type)
      return type.errors();
    parts.type = std::move(*type);
  }
  const auto stated = stated_facts(options, parts);
  if (!stated)
    return stated.errors();
  if (options.this_machine) {
    auto here = read_this_machine(*stated);
    if (!here)
      return here.errors();
    if (auto errors = add(std::move(*here), "this machine", parts); !errors.empty())
      return errors;
  }
  Errors errors;
  for (const auto& file : options.files) {
    auto imported = import_file(file, *stated);
    append(errors, imported ? add(std::move(*imported), file, parts) : imported.errors());
  }
  if (errors.empty() && parts.type)
    errors = add_type(options, parts);
  if (errors.empty() && options.sheet.states_any())
    errors = add_sheet(options.sheet, parts);
  if (!errors.empty())
    return errors;
  return parts;
}

} // namespace kakehashi
