// The profile of a recorded application's calls → text and JSON.
#pragma once

#include "result/call_profile.hpp"

#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <string>

namespace kakehashi {

std::string mpi_name(std::string name); // "MPI_Reduce_scatter" of "reduce-scatter"
// Brief: one line of the most important.
void write_calls(const CallProfile& profile, bool is_brief, std::ostream& out);
nlohmann::ordered_json to_json(const CallProfile& profile);

} // namespace kakehashi
