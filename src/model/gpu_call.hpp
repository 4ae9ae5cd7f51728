// Collectives between GPUs as NCCL and RCCL call them: what is asked for, what the library takes, and how long it runs.
#pragma once

#include "base/error.hpp"
#include "base/units.hpp"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kakehashi {

enum class GpuOperation { allreduce, allgather, reducescatter, broadcast, reduce, alltoall, sendrecv };
inline constexpr std::size_t gpu_operation_count = 7;
inline constexpr std::array<std::string_view, gpu_operation_count> gpu_operation_names{
    "allreduce", "allgather", "reducescatter", "broadcast", "reduce", "alltoall", "sendrecv"};
constexpr bool has_sum(GpuOperation operation) {
  return operation == GpuOperation::allreduce || operation == GpuOperation::reducescatter ||
         operation == GpuOperation::reduce;
}
constexpr bool is_rooted(GpuOperation operation) {
  return operation == GpuOperation::broadcast || operation == GpuOperation::reduce;
}
// The size counts the blocks of all ranks.
constexpr bool has_blocks(GpuOperation operation) {
  return operation == GpuOperation::allgather || operation == GpuOperation::reducescatter ||
         operation == GpuOperation::alltoall;
}

enum class GpuAlgorithm { tree, ring, collnet_direct, collnet_chain, nvls, nvls_tree, pat };
inline constexpr std::size_t gpu_algorithm_count = 7;
inline constexpr std::array<std::string_view, gpu_algorithm_count> gpu_algorithm_names{
    "Tree", "Ring", "CollNetDirect", "CollNetChain", "NVLS", "NVLSTree", "PAT"};

enum class GpuProtocol { ll, ll128, simple };
inline constexpr std::size_t gpu_protocol_count = 3;
inline constexpr std::array<std::string_view, gpu_protocol_count> gpu_protocol_names{"LL", "LL128", "Simple"};
template <class T> using PerProtocol = std::array<T, gpu_protocol_count>;

// Whether rings leave a node by another adapter than they enter it: NCCL_CROSS_NIC.
enum class CrossNic { never, always, if_faster };

// What a user asks of the library; what is not set the library chooses.
struct GpuWishes {
  std::optional<GpuAlgorithm> algorithm;
  std::optional<GpuProtocol> protocol;
  std::optional<int> channels;
  bool in_place = false;
  bool has_nvls = true;     // NCCL_NVLS_ENABLE
  bool has_collnet = false; // NCCL_COLLNET_ENABLE
  int collnet_nodes = 2;    // the fewest nodes that use it: NCCL_COLLNET_NODE_THRESHOLD
  CrossNic cross_nic = CrossNic::if_faster;
  std::optional<bool> is_direct; // between GPUs over PCIe, without the host's memory: NCCL_P2P_LEVEL; none: the usual
  bool operator==(const GpuWishes&) const = default;
};

// Who sends to whom on the channels of a call. Those of CollNet go through switches that add; a gather is a sum's half.
enum class GpuPattern {
  ring,
  tree,
  all_to_all,
  through_switch,
  collnet_chain,
  collnet_direct,
  collnet_gather,
  collnet_nvls,
  collnet_nvls_gather
};
inline constexpr std::size_t gpu_pattern_count = 9;

// How a call runs.
struct GpuTime {
  Seconds time;
  std::optional<GpuAlgorithm> algorithm; // none: sends and receives between each two
  GpuProtocol protocol = GpuProtocol::simple;
  int channels = 0;
  std::optional<Seconds> tuner; // what the library's own model of costs expects
  // The parts of the time.
  Seconds start; // from the call to the first step
  Seconds hops;  // steps without their bytes
  Seconds bytes; // what the bytes take on the limiting link
  std::string limit;
  // What the call moves: so many bytes of each channel from each rank to the next one of the pattern.
  GpuPattern pattern = GpuPattern::ring;
  double channel_bytes = 0;
};

// A call in a recording.
struct RecordedGpuCall {
  std::size_t communicator = 0; // its index
  GpuOperation operation = GpuOperation::allreduce;
  Bytes size; // of all blocks together, if there are blocks
  auto operator<=>(const RecordedGpuCall&) const = default;
};

// The calls of a run.
struct GpuCalls {
  std::vector<GpuTime> times;                  // of a benchmark, one for each size
  std::map<RecordedGpuCall, Seconds> recorded; // of a replay; calls that are not here take MPI's algorithms
  std::string library;                         // its name and release; empty: no call is the library's
  std::vector<std::string> notes;              // what is assumed
  BytesPerSecond link_limit{};                 // the bus bandwidth of a ring whose data had all of the links' rate
  std::vector<double> link_bytes{}; // of all calls of a benchmark, by channel of the topology; empty: not known
  std::string refusal{};            // why calls of a replay take MPI's algorithms; empty: none has to
};

} // namespace kakehashi
