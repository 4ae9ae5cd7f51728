// The profile of a recorded application's calls → parts of the report of a run, and JSON.
#pragma once

#include "report/report.hpp"
#include "result/call_profile.hpp"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace kakehashi {

std::string mpi_name(std::string name); // "MPI_Reduce_scatter" of "reduce-scatter"
// Brief: one line of the most important.
void add_calls(const CallProfile& profile, bool is_brief, ReportParts& parts);
nlohmann::ordered_json to_json(const CallProfile& profile);

} // namespace kakehashi
