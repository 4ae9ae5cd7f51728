// A user's file of an algorithm (libraries/collectives/algorithm.schema.json) → its steps.
#pragma once

#include "workload/collective/own_algorithm.hpp"

namespace kakehashi {

// Errors: the file cannot be read, does not fit the schema, is of an operation that files cannot have, or a formula has
// faults. The steps are checked when the number of ranks is known.
Result<std::shared_ptr<const OwnAlgorithm>> read_own_algorithm(const std::string& file);

// The files of a library's own algorithms.
std::vector<std::string> own_algorithm_files(const MpiSettings& settings);

// Whether a name of an algorithm is that of such a file.
inline bool is_own_algorithm(std::string_view name) {
  return name.ends_with(".json");
}
// Whether a text looks like such a file.
bool is_own_algorithm_text(const std::string& text);

// The numbers of ranks for which every algorithm can be tried, as "1 to 17, 24, 32, 33", and the first fault for any of
// them, on nodes of each even number of ranks.
inline constexpr std::string_view tried_ranks = "1 to 17, 24, 32 and 33";
std::optional<Error> first_fault(const OwnAlgorithm& algorithm);

} // namespace kakehashi
