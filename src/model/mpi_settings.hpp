// Collective operations, and the settings of an MPI library that files may state.
#pragma once

#include "base/units.hpp"
#include "model/device_kind.hpp"
#include "model/source.hpp"

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

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

// How an operation divides its data, and which sizes a call states.
enum class Division {
  none,          // there is no data
  whole,         // one vector of the same length on all ranks
  equal_blocks,  // one block for each rank, all of one size
  listed_blocks, // one block for each rank; a call lists all sizes
  own_block      // one block for each rank; a call states the caller's size
};

// The traits of an operation; the table below has one row for each, in the order of the enumeration.
struct CollectiveRow {
  Collective collective;
  std::string_view name;    // its name in files
  std::string_view ti_name; // its name in time-independent traces
  Division division;
  bool has_root;
  bool has_reduction;
  // Each rank states only the sizes that concern it, so the sizes in two ranks' calls may differ.
  bool has_private_sizes;
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

struct OwnAlgorithm; // workload/collective/own_algorithm.hpp

// An algorithm with its parameters.
struct AlgorithmChoice {
  std::size_t algorithm = 0; // index into the table of algorithms (workload/collective/registry.hpp)
  Bytes segment;             // size of a segment; 0: the vector is not segmented
  int width = 0;             // number of chains from the root, or of messages in flight; 0: the algorithm's usual one
  std::shared_ptr<const OwnAlgorithm> own{}; // an algorithm of the user's file, in place of the table's; null: none
  bool operator==(const AlgorithmChoice&) const = default;
};

// The MPI library whose decision tables choose an algorithm by size and number of ranks. open_mpi is 1.3 to 4.0, mpich
// 3.0 to 3.2, fujitsu_new FX10's latest and fujitsu_4 Fugaku's. workload/collective/selector.hpp names their sources.
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
  hcoll,
  ucc,
  fujitsu_old,
  fujitsu_04,
  fujitsu_07,
  fujitsu_08,
  fujitsu_new,
  fujitsu_4,
  fixed
};
inline constexpr std::array<std::string_view, 20> selector_names{
    "open-mpi",         "open-mpi-4.1",     "open-mpi-5.0",     "mpich",       "mpich-4",   "cray-mpich", "intel-mpi",
    "intel-mpi-2019",   "intel-mpi-2021",   "mvapich2-2.3",     "mpt",         "hcoll",     "ucc",        "fujitsu-old",
    "fujitsu-1.2.1-04", "fujitsu-1.2.1-07", "fujitsu-1.2.1-08", "fujitsu-new", "fujitsu-4", "fixed"};

// The time of a core, or of a whole GPU, to add a byte of an incoming vector to its own, and to copy a byte of its own
// memory, by kind of device. Assumed: the speed of the memory on machines of 2012 and later.
inline constexpr PerKind<SecondsPerByte> usual_reduction = [] {
  auto times = all_kinds(SecondsPerByte{0.25e-9});
  times[static_cast<std::size_t>(DeviceKind::coprocessor)] = {0.65e-9};
  times[static_cast<std::size_t>(DeviceKind::gpu)] = {0.004e-9};
  times[static_cast<std::size_t>(DeviceKind::dpu)] = {0.5e-9};
  return times;
}();
inline constexpr PerKind<SecondsPerByte> usual_copy = [] {
  auto times = all_kinds(SecondsPerByte{0.1e-9});
  times[static_cast<std::size_t>(DeviceKind::coprocessor)] = {0.5e-9};
  times[static_cast<std::size_t>(DeviceKind::gpu)] = {0.003e-9};
  times[static_cast<std::size_t>(DeviceKind::dpu)] = {0.2e-9};
  return times;
}();
// The time to find a block, begin its copy and end it, in packing and unpacking. Assumed; close to the cost of Bruck's
// algorithm on four clusters of 2016 to 2019.
inline constexpr Seconds usual_copy_start{60e-9};

// While a rank works, this answers requests for long messages and takes the steps of nonblocking collective calls: the
// network's adapters, a thread of the library on another core, or nothing until the rank calls MPI again.
enum class MpiProgress { hardware, thread, inside_calls };
inline constexpr std::array<std::string_view, 3> progress_names{"hardware", "thread", "inside-calls"};

// Where vectors of ranks on GPUs are added: on the GPU, or on its host; the library copies them to the host and copies
// the result back.
enum class GpuReductions { device, host };
inline constexpr std::array<std::string_view, 2> gpu_reductions_names{"device", "host"};

// The time to start a copy between a GPU and its host's memory and to wait for its end, without the time of the bytes.
inline constexpr Seconds usual_gpu_copy_start{10e-6};

struct CollectiveRules; // model/decision.hpp

// The settings of the MPI library that a platform or a scenario states.
struct MpiSettings {
  std::optional<Selector> selector;                                        // none: open-mpi
  std::array<std::optional<AlgorithmChoice>, collective_count> algorithms; // these come before the selector's choice
  std::shared_ptr<const CollectiveRules> rules;     // rows of a user's file; they come before the selector's tables
  std::optional<MpiProgress> progress;              // none: the library's usual one
  std::optional<PerKind<SecondsPerByte>> reduction; // time to add a byte of an incoming vector; none: usual_reduction
  std::optional<PerKind<SecondsPerByte>> copy;      // time to copy a byte of its own memory; none: usual_copy
  std::optional<Seconds> copy_start;                // time for each block besides; none: usual_copy_start
  std::optional<Seconds> communicator_start; // time of each rank to make a communicator; none: the library's usual one
  std::optional<Bytes> single_copy_from;     // as in MpiLibrary; none: the library's usual one
  std::optional<double> full_node_factor;    // likewise
  std::optional<Seconds> network_polling;    // time of a message in a node more if the job is on several; none: none
  std::optional<Seconds> after_work;         // of each end of a message in a node after work; none: none
  std::optional<SecondsPerByte> after_work_copy; // likewise, of each of its bytes
  std::optional<GpuReductions> gpu_reductions;   // none: the library's usual ones
  std::optional<Seconds> gpu_copy_start;         // none: usual_gpu_copy_start
  std::string host_fabric; // the fabric of messages between hosts of GPUs; empty: that of all messages
  // The source of all times above.
  Source source{SourceKind::assumed, "a core adds 4 GB/s, copies 10 GB/s and takes 60 ns a block"};

  bool states_times() const { return reduction || copy || copy_start || communicator_start || gpu_copy_start; }
  // All fields but those that go with others: the rules with the selector, the source with the times.
  static constexpr auto own_fields(auto& self) {
    auto& [selector, algorithms, rules, progress, reduction, copy, copy_start, communicator_start, single_copy_from,
           full_node_factor, network_polling, after_work, after_work_copy, gpu_reductions, gpu_copy_start, host_fabric,
           source] = self;
    return std::tie(selector, algorithms, progress, reduction, copy, copy_start, communicator_start, single_copy_from,
                    full_node_factor, network_polling, after_work, after_work_copy, gpu_reductions, gpu_copy_start,
                    host_fabric);
  }
};

inline void take_stated(const std::string& stated, std::string& value) {
  if (!stated.empty())
    value = stated;
}
template <class Value> void take_stated(const std::optional<Value>& stated, std::optional<Value>& value) {
  if (stated)
    value = stated;
}
template <class Value, std::size_t count>
void take_stated(const std::array<Value, count>& stated, std::array<Value, count>& values) {
  for (std::size_t i = 0; i < count; ++i)
    take_stated(stated[i], values[i]);
}

// The fields that the scenario states replace those of the platform.
inline MpiSettings combined(MpiSettings platform, const MpiSettings& scenario) {
  if (scenario.selector) // rules are for its tables
    platform.rules = scenario.rules;
  if (scenario.states_times())
    platform.source = scenario.source;
  const auto own = MpiSettings::own_fields(platform);
  const auto stated = MpiSettings::own_fields(scenario);
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    (take_stated(std::get<i>(stated), std::get<i>(own)), ...);
  }
  (std::make_index_sequence<std::tuple_size_v<decltype(own)>>());
  return platform;
}

} // namespace kakehashi
