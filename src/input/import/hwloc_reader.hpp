// lstopo's XML → a node: sockets, cards, and the PCIe switches between them.
#pragma once

#include "input/import/imported.hpp"
#include "input/import/xml.hpp"

namespace kakehashi {

// Of hwloc 1.0 to 3. The reader is our own, since libhwloc reads no file of a later version than itself: Debian 12's
// refuses what hwloc 3 writes.
Result<Imported> read_hwloc(const XmlFile& xml);

} // namespace kakehashi
