// SimGrid's platform XML → a machine: a node for each host, switches, and links.
#pragma once

#include "input/import/imported.hpp"
#include "input/import/xml.hpp"

namespace kakehashi {

Result<Imported> read_simgrid(const XmlFile& xml);

} // namespace kakehashi
