// The schema of platforms → the same, with what follows from the tables of fields and of link types as they say it.
#pragma once

#include <nlohmann/json.hpp>

namespace kakehashi {

nlohmann::ordered_json with_tables(nlohmann::ordered_json schema);

} // namespace kakehashi
