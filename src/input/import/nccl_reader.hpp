// NCCL's topology (NCCL_TOPO_DUMP_FILE) → a node: sockets, GPUs, adapters, switches, NVLinks.
#pragma once

#include "input/import/imported.hpp"
#include "input/import/xml.hpp"

namespace kakehashi {

Result<Imported> read_nccl(const XmlFile& xml);

} // namespace kakehashi
