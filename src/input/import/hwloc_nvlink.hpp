// The matrices of bandwidths between GPUs, and to sockets, in lstopo's XML → links.
#pragma once

#include "input/import/xml.hpp"
#include "model/blueprint.hpp"

#include <map>

namespace kakehashi {

// `names` has the device of the node for each bus id, `sockets` that for each number (gp_index) of an object.
void add_nvlinks(const XmlFile& xml, const std::map<std::string, std::string>& names,
                 const std::map<std::string, std::string>& sockets, Assembly& node);

} // namespace kakehashi
