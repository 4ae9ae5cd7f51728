// What devices have of memory and caches → the rate at which these move bytes.
#pragma once

#include "base/units.hpp"
#include "model/device_kind.hpp"
#include "model/source.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kakehashi {

// The memory of a device and the caches before it. If it states no bandwidth, it has channels and transfers, or only a
// cache.
struct Memory {
  std::optional<BytesPerSecond> bandwidth;     // bandwidth of reads and writes together, as STREAM counts
  std::optional<int> channels;                 // each 8 B wide
  std::optional<TransfersPerSecond> transfers; // transfers of one channel
  std::optional<Bytes> cache;                  // all caches of its cores together; none: the usual size
  Source source;
  // The rate of a core that copies within the caches while all cores do; none: topology/capacity.hpp chooses it.
  std::optional<BytesPerSecond> cache_rate{};
  int cache_domain = 0; // cores that share a cache of the last level; 0: all cores of the device
  // The rate at which lines that a core has modified pass from one such cache to another; it is one of the whole node,
  // to which each device adds its own. None: no limit.
  std::optional<BytesPerSecond> domain_rate{};
  std::optional<Source> usual{}; // source of the bandwidth if the platform states none
  std::optional<Bytes> size{};   // room for data; none: unknown
  bool states_bandwidth() const { return bandwidth || channels; }
  bool operator==(const Memory&) const = default;
};

// What a GPU computes by its data sheet, without sparsity.
struct ComputeSheet {
  std::optional<FlopsPerSecond> fp32; // of matrices; where there is TF32, that
  std::optional<FlopsPerSecond> fp16; // bfloat16, too
  std::optional<FlopsPerSecond> fp8;
  // What large products of matrices reach, as someone measured it; none: unknown.
  std::optional<FlopsPerSecond> fp16_reached;
  std::optional<FlopsPerSecond> fp8_reached;
  int units = 0; // multiprocessors or compute units; 0: unknown
  Source source;
  bool operator==(const ComputeSheet&) const = default;
};

// The rate of reads and writes together: the stated one, or else 0.85 of the data sheet's, which is about what STREAM
// measures on most machines.
BytesPerSecond bandwidth_of(const Memory& memory);

// The memory of a device whose platform states none. Assumed: typical of machines of 2012 to 2020.
Memory usual_memory(DeviceKind kind);
// The rate at which a core copies within the caches while all cores of its device do so, reads and writes together.
// Assumed; in the middle of the results of Sendrecv between all cores on Broadwell (7 to 17 GB/s) and ThunderX2 (8).
inline constexpr BytesPerSecond usual_cache_rate{10e9};

// One of several memories of a device, such as MCDRAM beside DDR.
struct MemoryPart {
  std::string name;
  Bytes size;
  std::optional<BytesPerSecond> bandwidth; // as of Memory
  std::optional<int> channels;
  std::optional<TransfersPerSecond> transfers;
  Source source;
};

// Where data lies in several memories: in the first one that has room; in all of them by turns; or in the last one, and
// what the first one has room for is there, too.
enum class MemoryPolicy { fill, interleave, cache };
inline constexpr std::array<std::string_view, 3> memory_policy_names{"fill", "interleave", "cache"};

// Returns the rate at which several memories together move bytes of which each has its share: 0.85 of what is stated of
// channels and transfers, or the stated bandwidths. `in_use`: the bytes that lie in them.
// Requires that they have room for these.
BytesPerSecond bandwidth_of(const std::vector<MemoryPart>& parts, MemoryPolicy policy, Bytes in_use);

} // namespace kakehashi
