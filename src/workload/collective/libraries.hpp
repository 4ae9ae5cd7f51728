// MPI libraries by their names: what their data files state, and the settings by which users ask for algorithms.
#pragma once

#include "base/error.hpp"
#include "model/mpi_library.hpp"
#include "workload/collective/selector.hpp"

namespace kakehashi {

// Reads libraries/NAME.json of the data folder when the library is first asked for; the file that was compiled in, if
// there is none or it has faults.
const MpiLibrary& library_of(Selector selector);
// The faults of the file in the data folder.
const Errors& faults_of_library(Selector selector);

// A user's own file, which may follow a library of the data folder. Errors: those of read_library.
Result<std::shared_ptr<const MpiLibrary>> read_own_library(const std::string& file);
// The library of the data folder that it follows, as it must, and its rows as rules for that.
Selector followed_by(const MpiLibrary& own);
CollectiveRules rules_of(std::shared_ptr<const MpiLibrary> own, const std::string& file);
// The library that states what is no table: the user's own, or that of the selector.
const MpiLibrary& own_or_followed(const Library& library);

// The library at the end of those that it follows.
const MpiLibrary& root_of(const MpiLibrary& library);
// Whether it is, or follows, the ancestor.
bool follows(const MpiLibrary& library, Selector ancestor);

// Whether a vector is long enough for an algorithm.
bool has_enough(VectorNeed need, Bytes vector, unsigned ranks, Bytes segment);

// Finds an algorithm by its number in Open MPI's coll_tuned_<operation>_algorithm; null: there is none.
const NamedAlgorithm* open_mpi_algorithm(Collective collective, int number);
// Finds an algorithm by the end of its function's name in MPICH; null: it is not modelled.
const NamedAlgorithm* mpich_function(Collective collective, std::string_view name);

// Returns the setting that makes a library use an algorithm: options of mpirun, or a variable of the environment.
// Empty: it has no such algorithm, or its setting is unknown. Releases of MPICH 4 are "4.0", "4.1" for all later ones,
// and "" for any of them; none: the one whose tables are known.
std::string setting_of(Selector library, Collective collective, const AlgorithmChoice& choice,
                       std::optional<std::string_view> release = {});

// Returns the algorithms that the library's users can ask for, with the segments and fan-outs that are worth trying.
// Empty: its settings are unknown.
std::vector<LibraryForm> forms_of(Selector library, Collective collective,
                                  std::optional<std::string_view> release = {});

// Returns the releases for which these settings are, as users know them; empty: all.
std::string_view releases_of_settings(Selector library, std::optional<std::string_view> release);

} // namespace kakehashi
