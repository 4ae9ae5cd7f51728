// MPI libraries: the source of each decision table, what of it is assumed, and the names of algorithms in users'
// settings.
#pragma once

#include "model/library_form.hpp"
#include "model/source.hpp"
#include "workload/collective/selector.hpp"

namespace kakehashi {

struct LibraryRow {
  Selector selector;
  Selector next; // the library whose table decides if no row of its own holds; itself: some row always holds
  std::string_view source;
  std::string_view assumed; // a clause on what no public source states; empty: nothing is assumed
  MpiProgress progress;     // unless the user states another one
  Source progress_source;
};
const LibraryRow& library_of(Selector selector);

// How ranks agree on the number of a new communicator once they know its members.
struct CommunicatorForm {
  int allreduces = 0;
  Bytes size;  // of each
  Seconds own; // the other work of each rank
};
CommunicatorForm communicator_form_of(Selector selector);

// Where the library adds vectors of ranks on GPUs, unless the user states it.
struct GpuForm {
  GpuReductions reductions;
  // It also copies the result buffer to the host before a reduction, which then overwrites it.
  bool copies_result_in = false;
  Source source;
};
GpuForm gpu_form_of(Selector selector);

// Sets the range of ranks and bytes for one step of a table: both end where the next ones begin.
template <class Table>
void set_ranges(Decision& row, const std::vector<Table>& tables, std::size_t table, std::size_t step) {
  const auto& steps = tables[table].steps;
  row.ranks_from = tables[table].ranks_from;
  row.bytes_from = steps[step].bytes_from;
  if (table + 1 < tables.size())
    row.ranks_below = tables[table + 1].ranks_from;
  if (step + 1 < steps.size())
    row.bytes_below = steps[step + 1].bytes_from;
}

// The tables that have files of their own.
std::span<const Decision> open_mpi_41_decisions();
std::span<const Decision> mvapich2_decisions();

// What a library's function does if a vector has fewer bytes than its algorithm needs. Rows are tried in order, so one
// fallback may lead to the next.
struct Fallback {
  Collective collective;
  std::string_view from;
  std::string_view to;
  std::uint64_t (*bytes_needed)(unsigned ranks, Bytes segment);
  bool keeps_segment = false;
};
std::span<const Fallback> fallbacks_of(Selector library); // `library` is one that others descend from

struct LibrarysAlgorithm {
  std::string_view name; // in the registry
  int width = 0;         // the algorithm's fixed width; 0: the settings state it
};
// Finds an algorithm by its number in Open MPI's coll_tuned_<operation>_algorithm.
std::optional<LibrarysAlgorithm> open_mpi_algorithm(Collective collective, int number);
// Returns the first release that has it, "4.0" or "5.0"; empty: all have it.
std::string_view open_mpi_since(Collective collective, int number);

// An algorithm by the end of its function's name in MPICH: "ring" of MPIR_Allgather_intra_ring.
struct MpichFunction {
  Collective collective;
  std::string_view name;
  LibrarysAlgorithm algorithm;
  std::string_view since = {}; // the first release that has it; empty: 4.0, too
  std::string_view until = {}; // the last one; empty: 5.0, too
  // `release` may be empty: whether all have it.
  bool is_in(std::string_view release) const {
    return release.empty() ? since.empty() && until.empty() : since <= release && (until.empty() || release <= until);
  }
};
std::span<const MpichFunction> mpich_functions();
const MpichFunction* mpich_function(Collective collective, std::string_view name); // null: it is not modelled

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
