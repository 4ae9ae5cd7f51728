// The data sheets of nodes that are shipped, by name.
#pragma once

#include "base/error.hpp"
#include "input/platform/node_sheet.hpp"

namespace kakehashi {

// All of them, by name. Errors: there is no data folder, or a sheet is faulty.
Result<std::vector<NodeSheet>> shipped_nodes();

// The sheet of that name, or that of a file; it has the usual latencies. `gpus`: how many of its GPUs to keep; 0: all.
// PCIe switches without a GPU that is kept are left out, with their adapters. Errors: there is no such sheet, with the
// names of all, or it has fewer GPUs.
Result<NodeSheet> find_node(const std::string& name, int gpus);

} // namespace kakehashi
