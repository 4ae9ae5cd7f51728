#include "workload/collective/libraries.hpp"

#include <cassert>

namespace kakehashi {
namespace {

constexpr std::string_view node_aware =
    "its two-level forms for small and medium sizes on nodes with several ranks are "
    "a guess, other choices those of MPICH 3 with a ring for long Allreduces";

const auto& library_rows() {
  using enum Selector;
  constexpr auto inside = MpiProgress::inside_calls;
  const Source of_open_mpi{SourceKind::document, "Open MPI's wiki, ProgressThreads: it has none"};
  const Source of_mpich{SourceKind::document, "MPICH: MPIR_CVAR_ASYNC_PROGRESS is false if not set"};
  const Source of_mvapich2{SourceKind::document, "MVAPICH2: MPIR_CVAR_ASYNC_PROGRESS is false if not set"};
  const Source of_intel{SourceKind::document, "Intel MPI Developer Reference: I_MPI_ASYNC_PROGRESS is off if not set"};
  const Source as_others{SourceKind::assumed, "as the libraries whose documents state it"};
  static const auto rows = std::to_array<LibraryRow>({
      {open_mpi, open_mpi, "Open MPI 1.3 to 4.0: coll_tuned_decision_fixed.c and coll_basic", "", inside, of_open_mpi},
      {open_mpi_41, open_mpi, "Open MPI 4.1.6: coll_tuned_decision_fixed.c and coll_basic", "", inside, of_open_mpi},
      {open_mpi_50, open_mpi_41, "Open MPI 5.0.5: coll/han on nodes, coll_tuned_decision_fixed.c elsewhere",
       "the levels of its coll/han follow each other, not overlapped in segments of 64 KiB", inside, of_open_mpi},
      {mpich, mpich, "MPICH 3.0 to 3.2: src/mpi/coll with the defaults of its control variables", "", inside, of_mpich},
      {mpich_4, mpich, "MPICH 4.2.2: maint/tuning/coll, ch4/generic.json and mpir/generic.json",
       "inside a node messages do what its buffers in shared memory do", inside, of_mpich},
      {cray_mpich, mpich_4, "Cray MPICH 8.1.17: defaults that MPICH_ENV_DISPLAY prints",
       "Allreduces in shared memory take what flat ones do, Alltoalls spread each window over all ranks, and what the "
       "defaults do not state is done as in MPICH 4",
       inside, of_mpich},
      {intel_mpi, mpich, "no public table; I_MPI_ADJUST names the algorithms",
       "it has two-level forms on nodes at all sizes, MPICH's thresholds elsewhere, and a ring for long Allreduces",
       inside, of_intel},
      {intel_mpi_2019, intel_mpi, "no public table; I_MPI_ADJUST names the algorithms", node_aware, inside, of_intel},
      {intel_mpi_2021, intel_mpi_2019, "no public table; I_MPI_ADJUST names the algorithms", node_aware, inside,
       of_intel},
      {mvapich2, mpich, "MVAPICH2 2.3.7: src/mpi/coll/tuning, gen2_cma_RI2",
       "its table for nodes of 28 cores and EDR InfiniBand stands for all machines", inside, of_mvapich2},
      {mpt, intel_mpi_2021, "no public table", node_aware, inside, as_others},
      {fujitsu_old, open_mpi, "MPI performance improvements on PRIMEHPC FX10", "", inside, as_others},
      {fujitsu_04, open_mpi, "MPI performance improvements on PRIMEHPC FX10", "", inside, as_others},
      {fujitsu_07, open_mpi, "MPI performance improvements on PRIMEHPC FX10", "", inside, as_others},
      {fujitsu_08, open_mpi, "MPI performance improvements on PRIMEHPC FX10", "", inside, as_others},
      {fujitsu_new, open_mpi, "MPI performance improvements on PRIMEHPC FX10", "", inside, as_others},
      {fixed, fixed, "textbooks", "", MpiProgress::hardware, {SourceKind::assumed, "nothing waits for a library"}},
  });
  return rows;
}

// ompi/communicator/comm_cid.c takes three allreduces: for the largest number that is free anywhere, for whether it is
// free everywhere, and a last one when all ranks have it. src/mpi/comm/contextid.c takes one, of a mask of 2048 numbers
// and a word. The own times are measured: MPI_Comm_dup, _split and _create with Open MPI 4.1.4 and MPICH 4.0.2 on two
// cores, less the times of these calls.
constexpr CommunicatorForm as_open_mpi{3, {4}, {4e-6}};
constexpr CommunicatorForm as_mpich{1, {260}, {1.6e-6}};

// src/mpi/coll/src/csel_container.c of 4.0.2, 4.1, 4.2.3 and 5.0.1.
constexpr MpichFunction functions_of_mpich[] = {
    {Collective::barrier, "smp", {"two-level"}},
    {Collective::barrier, "k_dissemination", {"dissemination"}, "4.1"},
    {Collective::barrier, "dissemination", {"dissemination"}, "", "4.0"},
    {Collective::bcast, "smp", {"two-level"}},
    {Collective::bcast, "binomial", {"binomial"}},
    {Collective::bcast, "scatter_recursive_doubling_allgather", {"scatter-doubling-allgather"}},
    {Collective::bcast, "scatter_ring_allgather", {"scatter-ring-allgather"}},
    {Collective::reduce, "smp", {"two-level"}},
    {Collective::reduce, "binomial", {"binomial"}},
    {Collective::reduce, "reduce_scatter_gather", {"rabenseifner"}},
    {Collective::allreduce, "smp", {"two-level"}},
    {Collective::allreduce, "recursive_doubling", {"recursive-doubling"}},
    {Collective::allreduce, "reduce_scatter_allgather", {"rabenseifner"}},
    {Collective::allreduce, "ring", {"ring"}, "4.1"},
    {Collective::gather, "binomial", {"binomial"}},
    {Collective::gatherv, "linear", {"linear"}},
    {Collective::scatter, "binomial", {"binomial"}},
    {Collective::scatterv, "linear", {"linear"}},
    {Collective::allgather, "recursive_doubling", {"recursive-doubling"}},
    {Collective::allgather, "brucks", {"bruck"}},
    {Collective::allgather, "k_brucks", {"bruck"}, "4.1"},
    {Collective::allgather, "ring", {"ring"}},
    {Collective::allgatherv, "recursive_doubling", {"recursive-doubling"}},
    {Collective::allgatherv, "brucks", {"bruck"}},
    {Collective::allgatherv, "ring", {"ring"}},
    {Collective::alltoall, "brucks", {"bruck"}},
    {Collective::alltoall, "scattered", {"linear", 32}},
    {Collective::alltoall, "pairwise", {"pairwise-exclusive-or"}},
    {Collective::alltoallv, "scattered", {"linear", 32}},
    {Collective::reduce_scatter, "recursive_halving", {"recursive-halving"}},
    {Collective::reduce_scatter, "pairwise", {"pairwise"}},
    {Collective::scan, "smp", {"two-level"}},
    {Collective::scan, "recursive_doubling", {"recursive-doubling"}},
    {Collective::exscan, "recursive_doubling", {"recursive-doubling"}},
};

} // namespace

CommunicatorForm communicator_form_of(Selector selector) {
  switch (selector) {
  case Selector::fixed: return {};
  case Selector::open_mpi:
  case Selector::open_mpi_41:
  case Selector::open_mpi_50:
  case Selector::fujitsu_old:
  case Selector::fujitsu_04:
  case Selector::fujitsu_07:
  case Selector::fujitsu_08:
  case Selector::fujitsu_new: return as_open_mpi;
  default: return as_mpich;
  }
}

// Open MPI: ompi/mca/coll/cuda of 1.7 to 5.0, coll/accelerator later. MVAPICH2: src/mpi/coll/allreduce_osu.c of the
// public library; that of GDR is not public. MPICH: MPIR_Typerep_reduce_is_supported, for floats and signed integers;
// MPICH copies doubles to the host, and Cray MPICH copies everything.
GpuForm gpu_form_of(Selector selector) {
  using enum GpuReductions;
  switch (selector) {
  case Selector::open_mpi:
  case Selector::open_mpi_41:
  case Selector::open_mpi_50: return {host, true, {SourceKind::document, "Open MPI: coll/cuda"}};
  case Selector::mvapich2: return {host, true, {SourceKind::document, "MVAPICH2: src/mpi/coll, without GDR"}};
  case Selector::cray_mpich:
    return {host, false, {SourceKind::document, "Cray MPICH 8.1.17: MPICH_GPU_ALLREDUCE_USE_KERNEL is 0 if not set"}};
  case Selector::mpich_4: return {device, false, {SourceKind::document, "MPICH 4: MPIR_CVAR_ENABLE_YAKSA_REDUCTION"}};
  case Selector::fixed: return {device, false, {SourceKind::document, "the device that has them"}};
  default: return {device, false, {SourceKind::assumed, "nothing public says where"}};
  }
}

const LibraryRow& library_of(Selector selector) {
  const auto& row = library_rows()[static_cast<std::size_t>(selector)];
  assert(row.selector == selector);
  return row;
}

std::span<const MpichFunction> mpich_functions() {
  return functions_of_mpich;
}

const MpichFunction* mpich_function(Collective collective, std::string_view name) {
  for (const auto& each : functions_of_mpich)
    if (each.collective == collective && each.name == name)
      return &each;
  return nullptr;
}

} // namespace kakehashi
