// Collective operations, and what a file says about a machine's MPI library.
#pragma once

#include "base/units.hpp"
#include "model/device_kind.hpp"
#include "model/source.hpp"

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>

namespace kakehashi {

enum class Collective {
  barrier,
  bcast,
  reduce,
  allreduce,
  gather,
  gatherv,
  scatter,
  scatterv,
  allgather,
  allgatherv,
  alltoall,
  alltoallv,
  reduce_scatter,
  scan,
  exscan
};
inline constexpr std::size_t collective_count = 15;

// How the data of an operation is divided, and what a call states of it.
enum class Division {
  none,          // there is no data
  whole,         // one vector, as long on all ranks
  equal_blocks,  // a block for each rank, all of one size
  listed_blocks, // a block for each rank; a call lists their sizes
  own_block      // a block for each rank; a call states the size of the caller's
};

// Traits of an operation; the table below has a row for each, in their order.
struct CollectiveRow {
  Collective collective;
  std::string_view name;    // in files
  std::string_view ti_name; // in time-independent traces
  Division division;
  bool has_root;
  bool has_reduction;
  bool has_private_sizes; // a rank states the sizes that concern it, so two ranks' calls may differ in them
};
inline constexpr std::array<CollectiveRow, collective_count> collective_rows{{
    {Collective::barrier, "barrier", "barrier", Division::none, false, false, false},
    {Collective::bcast, "bcast", "bcast", Division::whole, true, false, false},
    {Collective::reduce, "reduce", "reduce", Division::whole, true, true, false},
    {Collective::allreduce, "allreduce", "allreduce", Division::whole, false, true, false},
    {Collective::gather, "gather", "gather", Division::equal_blocks, true, false, false},
    {Collective::gatherv, "gatherv", "gatherv", Division::own_block, true, false, true},
    {Collective::scatter, "scatter", "scatter", Division::equal_blocks, true, false, false},
    {Collective::scatterv, "scatterv", "scatterv", Division::listed_blocks, true, false, true},
    {Collective::allgather, "allgather", "allgather", Division::equal_blocks, false, false, false},
    {Collective::allgatherv, "allgatherv", "allgatherv", Division::listed_blocks, false, false, false},
    {Collective::alltoall, "alltoall", "alltoall", Division::equal_blocks, false, false, false},
    {Collective::alltoallv, "alltoallv", "alltoallv", Division::listed_blocks, false, false, true},
    {Collective::reduce_scatter, "reduce-scatter", "reducescatter", Division::listed_blocks, false, true, false},
    {Collective::scan, "scan", "scan", Division::whole, false, true, false},
    {Collective::exscan, "exscan", "exscan", Division::whole, false, true, false},
}};
constexpr const CollectiveRow& row_of(Collective collective) {
  return collective_rows[static_cast<std::size_t>(collective)];
}
static_assert([] {
  for (std::size_t i = 0; i < collective_count; ++i)
    if (collective_rows[i].collective != static_cast<Collective>(i))
      return false;
  return true;
}());

inline constexpr auto collective_names = [] {
  std::array<std::string_view, collective_count> names;
  for (std::size_t i = 0; i < collective_count; ++i)
    names[i] = collective_rows[i].name;
  return names;
}();

constexpr bool has_root(Collective collective) {
  return row_of(collective).has_root;
}
constexpr bool has_reduction(Collective collective) {
  return row_of(collective).has_reduction;
}

// An algorithm with its parameters: the pipeline's segment, and the number of children or of messages in flight.
struct AlgorithmChoice {
  std::size_t algorithm = 0; // index into the table of algorithms (workload/collective/registry.hpp)
  Bytes segment;             // 0: not segmented
  int width = 0;             // chains that start at the root; messages in flight; 0: the algorithm's usual one
  bool operator==(const AlgorithmChoice&) const = default;
};

// Whose decision tables choose an algorithm by size and number of ranks: open_mpi is 1.3 to 4.0, mpich 3.0 to 3.2,
// fujitsu_new the latest of Fujitsu's. workload/collective/selector.hpp names their sources.
enum class Selector {
  open_mpi,
  open_mpi_41,
  open_mpi_50,
  mpich,
  mpich_4,
  cray_mpich,
  intel_mpi,
  intel_mpi_2019,
  intel_mpi_2021,
  mvapich2,
  mpt,
  fujitsu_old,
  fujitsu_04,
  fujitsu_07,
  fujitsu_08,
  fujitsu_new,
  fixed
};
inline constexpr std::array<std::string_view, 17> selector_names{
    "open-mpi",         "open-mpi-4.1",     "open-mpi-5.0",     "mpich",        "mpich-4", "cray-mpich",
    "intel-mpi",        "intel-mpi-2019",   "intel-mpi-2021",   "mvapich2-2.3", "mpt",     "fujitsu-old",
    "fujitsu-1.2.1-04", "fujitsu-1.2.1-07", "fujitsu-1.2.1-08", "fujitsu-new",  "fixed"};

// The cost of work on data in a rank's own memory, by the kind of device: to add a byte of an incoming vector, to copy
// a byte. Assumed: a core, or a whole GPU, at the speed of its memory, on machines of 2012 and later.
inline constexpr PerKind<SecondsPerByte> usual_reduction = [] {
  auto times = all_kinds(SecondsPerByte{0.25e-9});
  times[static_cast<std::size_t>(DeviceKind::coprocessor)] = {0.65e-9};
  times[static_cast<std::size_t>(DeviceKind::gpu)] = {0.004e-9};
  return times;
}();
inline constexpr PerKind<SecondsPerByte> usual_copy = [] {
  auto times = all_kinds(SecondsPerByte{0.1e-9});
  times[static_cast<std::size_t>(DeviceKind::coprocessor)] = {0.5e-9};
  times[static_cast<std::size_t>(DeviceKind::gpu)] = {0.003e-9};
  return times;
}();
// To find, begin and end the copy of one block, as packing and unpacking do. Assumed; about what Bruck's algorithm
// takes on four clusters of 2016 to 2019.
inline constexpr Seconds usual_copy_start{60e-9};

// What answers requests for long messages and takes the steps of nonblocking collective calls while a rank works: the
// network's adapters, a thread of the library's on another core, or nothing until the rank calls MPI again.
enum class MpiProgress { hardware, thread, inside_calls };
inline constexpr std::array<std::string_view, 3> progress_names{"hardware", "thread", "inside-calls"};

// Where vectors of ranks on GPUs are added: on the GPU, or on its host, to which the library copies them and from which
// it copies the result.
enum class GpuReductions { device, host };
inline constexpr std::array<std::string_view, 2> gpu_reductions_names{"device", "host"};

// To start a copy between a GPU and the memory of its host, and to wait for its end, besides what the bytes take.
inline constexpr Seconds usual_gpu_copy_start{10e-6};

struct CollectiveRules; // model/decision.hpp

// The MPI library, as a platform or a scenario states it.
struct MpiSettings {
  std::optional<Selector> selector;                                        // open-mpi if nobody says
  std::array<std::optional<AlgorithmChoice>, collective_count> algorithms; // named ones; they beat the selector
  std::shared_ptr<const CollectiveRules> rules;     // of a file of the user's; they beat the selector's
  std::optional<MpiProgress> progress;                 // the library's usual one if nobody says
  std::optional<PerKind<SecondsPerByte>> reduction; // time to add a byte of an incoming vector
  std::optional<PerKind<SecondsPerByte>> copy;      // to copy a byte of its own
  std::optional<Seconds> copy_start;                // and for each block besides; the usual ones if nobody says
  std::optional<Seconds> communicator_start;        // of each rank, to make one; the library's usual one if nobody says
  std::optional<GpuReductions> gpu_reductions;      // the library's usual ones if nobody says
  std::optional<Seconds> gpu_copy_start;            // the usual one if nobody says
  std::string host_fabric;                          // of messages between hosts of GPUs; empty: the fabric of all
  Source source{SourceKind::assumed, "a core adds 4 GB/s, copies 10 GB/s and takes 60 ns a block"}; // of all times

  bool states_times() const { return reduction || copy || copy_start || communicator_start || gpu_copy_start; }
};

// A scenario's fields win, one by one.
inline MpiSettings combined(MpiSettings platform, const MpiSettings& scenario) {
  if (scenario.selector) { // rules are for its tables
    platform.selector = scenario.selector;
    platform.rules = scenario.rules;
  }
  for (std::size_t i = 0; i < collective_count; ++i)
    if (scenario.algorithms[i])
      platform.algorithms[i] = scenario.algorithms[i];
  if (scenario.progress)
    platform.progress = scenario.progress;
  if (scenario.states_times())
    platform.source = scenario.source;
  if (scenario.reduction)
    platform.reduction = scenario.reduction;
  if (scenario.copy)
    platform.copy = scenario.copy;
  if (scenario.copy_start)
    platform.copy_start = scenario.copy_start;
  if (scenario.communicator_start)
    platform.communicator_start = scenario.communicator_start;
  if (scenario.gpu_reductions)
    platform.gpu_reductions = scenario.gpu_reductions;
  if (scenario.gpu_copy_start)
    platform.gpu_copy_start = scenario.gpu_copy_start;
  if (!scenario.host_fabric.empty())
    platform.host_fabric = scenario.host_fabric;
  return platform;
}

} // namespace kakehashi
