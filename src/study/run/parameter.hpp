// A way → the platform's numbers that its messages may depend on, each of which can be made better or worse.
#pragma once

#include "model/platform_fields.hpp"
#include "transport/path.hpp"

#include <functional>

namespace kakehashi {

struct Scenario;

struct Parameter {
  std::string place; // JSON pointer in the platform file; of links what they are
  std::string what;
  Better better = Better::neither;
  std::vector<Source> sources; // of links that are one parameter there may be several, or none
  std::function<void(Platform&, double factor)> scale;

  std::string name() const { return place + " " + what; }
};

// Better by that share: a time shorter, a rate higher.
void improve(const Parameter& parameter, Platform& platform, double share);

// Without those that are zero or not stated.
std::vector<Parameter> parameters_of(const Platform& platform, const std::vector<const Way*>& ways);

// What the library's own work costs, usual or stated: the time to add vectors first, and those of copies.
inline constexpr const char* library_place = "/mpi";
std::vector<Parameter> library_parameters_of(const MpiSettings& settings);

// The sizes at which regimes change. They are no better or worse; regimes may vanish, but none beyond the neighbours
// moves.
std::vector<Parameter> thresholds_of(const Platform& platform, const std::vector<const Way*>& ways);

// The numbers of its MPI library's decision tables that bear on a scenario's benchmark: half or twice as much has the
// ranks together take another algorithm at one of its sizes.
inline constexpr const char* tables_place = "/mpi/collectives";
std::vector<Parameter> table_numbers_of(const Scenario& scenario);

} // namespace kakehashi
