// The files and options of an import → the parts of a machine.
#pragma once

#include "command/node_sheets.hpp"
#include "input/import/compose.hpp"
#include "input/import/formats.hpp"

namespace kakehashi {

struct ImportArguments {
  std::vector<std::string> files;
  bool this_machine = false;
  std::string type; // of the node: a shipped data sheet's name, or a file; empty: not stated
  int gpus = 0;     // of such a node; 0: all
  DataSheet sheet;
  std::string gpu;
  int generation = 0; // generation of the PCIe slots; 0: not stated
  int nodes = 0;      // 0: not stated
  std::string network;
  std::string adapters; // empty: the node's own
  std::string library;  // empty: not stated
  std::string name;
  std::string output; // a file; empty: standard output
};

struct Parts {
  std::optional<Assembly> node;
  std::optional<NodeSheet> type; // of the node
  std::optional<NetworkPlan> network;
  std::optional<Blueprint> machine;
  std::vector<std::string> descriptions;
  std::vector<std::string> notes;
};

// Reads the files, and puts what the options state into their node. Errors: also if two files describe the same part.
Result<Parts> read_parts(const ImportArguments& options);

} // namespace kakehashi
