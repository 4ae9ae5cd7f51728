// The bandwidths between GPUs, and to sockets, that lstopo's XML gives as matrices → links.
#pragma once

#include "input/import/xml.hpp"
#include "model/blueprint.hpp"

#include <map>

namespace kakehashi {

// `names`: the device of the node that stands for each bus id; `sockets`: for each number (gp_index) of an object.
void add_nvlinks(const XmlFile& xml, const std::map<std::string, std::string>& names,
                 const std::map<std::string, std::string>& sockets, Assembly& node);

} // namespace kakehashi
