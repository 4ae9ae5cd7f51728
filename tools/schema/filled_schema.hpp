// A schema of platforms or scenarios → the same, with what follows from the tables of fields, of link types and of
// benchmarks.
#pragma once

#include <nlohmann/json.hpp>

namespace kakehashi {

nlohmann::ordered_json with_tables(nlohmann::ordered_json schema);

} // namespace kakehashi
