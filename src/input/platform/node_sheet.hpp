// The data sheet of a type of node (nodes/node.schema.json) → its parts.
#pragma once

#include "base/error.hpp"
#include "input/json/json_document.hpp"
#include "model/blueprint.hpp"

namespace kakehashi {

// Latencies that the sheet leaves out are 0 in it.
struct NodeSheet {
  std::string name;
  std::string title;
  std::string network; // the rate of the adapters' ports: "NDR"
  Assembly node;
  std::optional<NvlinkDomain> domain;
};

// Errors: the file cannot be read, or is no such sheet.
Result<NodeSheet> read_node_sheet(const JsonDocument& document);

} // namespace kakehashi
