// Where each library's table comes from, what of it is assumed, and how libraries call algorithms in their users'
// settings.
#pragma once

#include "model/library_form.hpp"
#include "model/source.hpp"
#include "workload/collective/selector.hpp"

namespace kakehashi {

struct LibraryRow {
  Selector selector;
  Selector next; // whose table decides where no row of its own holds; its own: one always does
  std::string_view source;
  std::string_view assumed; // what no public source tells, as a clause; empty: nothing
  MpiProgress progress;        // if nobody asks for another
  Source progress_source;
};
const LibraryRow& library_of(Selector selector);

// How ranks agree on the number of a new communicator, once they know its members.
struct CommunicatorForm {
  int allreduces = 0;
  Bytes size;  // of each
  Seconds own; // what each rank does besides
};
CommunicatorForm communicator_form_of(Selector selector);

// Where it adds vectors of ranks on GPUs, if nobody says.
struct GpuForm {
  GpuReductions reductions;
  bool copies_result_in = false; // to the host before a reduction, too, though that overwrites it
  Source source;
};
GpuForm gpu_form_of(Selector selector);

// Of tables that go by ranks, and each by bytes, the ranges of one step: up to where the next begins.
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

// The rows of those that have a file of their own.
std::span<const Decision> open_mpi_41_decisions();
std::span<const Decision> mvapich2_decisions();

// What a library's function does for vectors of fewer bytes than its algorithm needs. Rows are tried in their order, so
// one may lead to the next.
struct Fallback {
  Collective collective;
  std::string_view from;
  std::string_view to;
  std::uint64_t (*bytes_needed)(unsigned ranks, Bytes segment);
  bool keeps_segment = false;
};
std::span<const Fallback> fallbacks_of(Selector library); // of one from which others descend

struct LibrarysAlgorithm {
  std::string_view name; // in the registry
  int width = 0;         // that it always has; 0: what the settings say
};
// By the number that Open MPI's coll_tuned_<operation>_algorithm gives it.
std::optional<LibrarysAlgorithm> open_mpi_algorithm(Collective collective, int number);
// The first release that has it, "4.0" or "5.0"; empty: all of them have.
std::string_view open_mpi_since(Collective collective, int number);
// By the end of the name of MPICH's function: "ring" of MPIR_Allgather_intra_ring. None: it is not modelled.
std::optional<LibrarysAlgorithm> mpich_algorithm(Collective collective, std::string_view name);
std::vector<std::string_view> mpich_functions(Collective collective); // those names

// What makes a library take an algorithm: options of mpirun, or a variable of the environment. Empty: it has no such
// algorithm, or none is known.
std::string setting_of(Selector library, Collective collective, const AlgorithmChoice& choice);

// The algorithms that users of the library can ask for, with those segments and fan-outs that are worth a try. Empty:
// its settings are not known.
std::vector<LibraryForm> forms_of(Selector library, Collective collective);

} // namespace kakehashi
