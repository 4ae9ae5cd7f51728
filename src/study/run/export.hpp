// Platform and fabric → the hosts, links and routes that another simulator reads.
#pragma once

#include "base/error.hpp"
#include "result/exported.hpp"

namespace kakehashi {

// Errors: more pairs of devices than a file with a route for each can have, or two devices that the fabric does not
// join.
Result<ExportedNetwork> export_network(const Platform& platform, const Fabric& fabric);

} // namespace kakehashi
