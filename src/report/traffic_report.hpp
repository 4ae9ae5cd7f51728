// Who sends how much to whom → a matrix or JSON, as part of a summary.
#pragma once

#include "result/traffic.hpp"

#include <nlohmann/json_fwd.hpp>
#include <ostream>

namespace kakehashi {

// Nothing if no messages were sent. Many ranks are taken together.
void write_traffic(const Traffic& traffic, std::ostream& out);
nlohmann::ordered_json to_json(const Traffic& traffic);

} // namespace kakehashi
