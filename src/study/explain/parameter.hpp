// A way → the numbers of the platform on which its messages may depend, each of which can become better or worse.
#pragma once

#include "model/platform_fields.hpp"
#include "transport/path.hpp"

#include <functional>

namespace kakehashi {

struct Scenario;

struct Parameter {
  std::string place; // JSON pointer in the platform file; for links, their common name
  std::string what;
  Better better = Better::neither;
  std::vector<Source> sources; // similar links that are one parameter may have several, or none
  std::function<void(Platform&, double factor)> scale;

  std::string name() const { return place + " " + what; }
};

// Makes it better by that share: a time shorter, a rate higher.
void improve(const Parameter& parameter, Platform& platform, double share);

// Leaves out numbers that are zero or not stated.
std::vector<Parameter> parameters_of(const Platform& platform, const std::vector<const Way*>& ways);

// Returns the costs of the library's own work, usual or stated: the time to add vectors first, then those of copies.
inline constexpr const char* library_place = "/mpi";
std::vector<Parameter> library_parameters_of(const MpiSettings& settings);

// Returns the sizes at which regimes change. They have no better direction. Regimes may vanish, but only neighbours
// change.
std::vector<Parameter> thresholds_of(const Platform& platform, const std::vector<const Way*>& ways);

// Returns the numbers in the MPI library's decision tables that matter for a scenario's benchmark: if one is halved or
// doubled, all ranks together use another algorithm at one of the sizes.
inline constexpr const char* tables_place = "/mpi/collectives";
std::vector<Parameter> table_numbers_of(const Scenario& scenario);

} // namespace kakehashi
