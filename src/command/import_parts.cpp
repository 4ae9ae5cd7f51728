#include "command/import_parts.hpp"

#include "command/shell/terminal.hpp"
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

Result<ImportOptions> stated_facts(const ImportArguments& options) {
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

} // namespace

Result<Parts> read_parts(const ImportArguments& options) {
  Parts parts;
  if (options.files.empty() && !options.this_machine && !options.sheet.states_any())
    return usage_error("nothing to import; expected a file, --this-machine or --sockets");
  const auto stated = stated_facts(options);
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
  if (errors.empty() && options.sheet.states_any())
    errors = add_sheet(options.sheet, parts);
  if (!errors.empty())
    return errors;
  return parts;
}

} // namespace kakehashi
