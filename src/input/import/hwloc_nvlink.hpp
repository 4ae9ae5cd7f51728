// The bandwidths between GPUs that lstopo's XML gives as matrices → links.
#pragma once

#include "input/import/xml.hpp"
#include "model/blueprint.hpp"

#include <map>

namespace kakehashi {

// `names`: the device of the node that stands for each bus id.
void add_nvlinks(const XmlFile& xml, const std::map<std::string, std::string>& names, Assembly& node);

} // namespace kakehashi
