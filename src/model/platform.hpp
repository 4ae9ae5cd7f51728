// A cluster as checked, immutable values: devices, the links between them, and the fabrics (protocols) that use them.
#pragma once

#include "base/error.hpp"
#include "base/units.hpp"
#include "model/device_kind.hpp"
#include "model/device_memory.hpp"
#include "model/gpu_library.hpp"
#include "model/link_type.hpp"
#include "model/mpi_settings.hpp"
#include "model/source.hpp"
#include "model/torus.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kakehashi {

struct Device {
  std::string name; // "hpc01.cpu0", or "switch" outside any node
  DeviceKind kind = DeviceKind::cpu;
  std::optional<std::size_t> node; // index into Platform::nodes
  std::optional<Memory> memory;    // its bandwidth is that of all of `memories`, if there are any
  std::vector<MemoryPart> memories{};
  MemoryPolicy memory_policy = MemoryPolicy::fill;
  std::optional<Bytes> memory_in_use{}; // by the data of all ranks of the device; none: little
  int cores = 0;                        // 0: unknown
  double message_rate = 0;              // messages per second that it sends, and that it receives; 0: no limit
  std::optional<BytesPerSecond> duplex_bandwidth{}; // the bandwidth of both directions together; none: no limit
  int stage_threads = 1;                            // threads that move pieces through stages, one piece at a time each
  int dma_engines = 0;  // transfers that it moves at a time for itself, and as many for others; 0: not stated
  int numa_domains = 1; // of equally many cores each
  std::string model{};  // as sold: "H100", "ConnectX-7"; empty: unknown
  std::optional<ComputeSheet> compute{}; // of a GPU
  bool adds = false;                     // a switch that adds what calls of many nodes send through it (SHARP)

  std::string_view local_name() const { return std::string_view(name).substr(name.find('.') + 1); }
};

// The cores of a device that its ranks take: one after the other, or round its NUMA domains or last-level caches.
enum class CoreOrder { block, over_numa, over_caches };

// Returns the number of domains of cores that the order goes round.
inline std::size_t domains_in_turn(const Device& device, CoreOrder order) {
  const int shared = device.memory ? device.memory->cache_domain : 0;
  const int caches = shared > 0 ? std::max(device.cores / shared, 1) : 1;
  return static_cast<std::size_t>(order == CoreOrder::over_numa     ? device.numa_domains
                                  : order == CoreOrder::over_caches ? caches
                                                                    : 1);
}

// The bytes per second of a link in each direction.
struct Capacity {
  BytesPerSecond forward; // from the link's `from` to its `to`
  BytesPerSecond backward;

  Capacity() = default;
  Capacity(BytesPerSecond both) : forward(both), backward(both) {}
  Capacity(BytesPerSecond there, BytesPerSecond back) : forward(there), backward(back) {}
  bool operator==(const Capacity&) const = default;
};

struct Link {
  std::string name; // "hpc01.cpu0-hpc01.cpu1", unique
  std::size_t from = 0;
  std::size_t to = 0; // indices into Platform::devices
  LinkType type;
  Seconds latency;
  std::optional<LinkRating> rating;     // if no bandwidth is stated, it has all that the type needs
  std::optional<Capacity> bandwidth;    // the stated one, which goes before the derived one
  std::shared_ptr<const Source> source; // shared by the links of all nodes of a template; null: none is stated
  int dimension = 0; // the dimension of a ring, mesh or torus along which it goes up, from 1; 0: none
};

// One of the two ends of a message.
enum class Side { sender, receiver };
inline constexpr std::array<std::string_view, 2> side_names{"sender", "receiver"};

// The rate at which one PCIe device reads or writes another one's memory through sockets, in each direction. The first
// limit that matches a leg applies.
enum class MemoryAccess { read, write };
inline constexpr std::array<std::string_view, 2> memory_access_names{"read", "write"};
struct PeerLimit {
  DeviceKind requester = DeviceKind::hca;      // the device that asks
  DeviceKind memory = DeviceKind::coprocessor; // the device that is asked
  MemoryAccess access = MemoryAccess::read;
  std::optional<LinkType> crosses; // the limit holds only for legs over such a link; none: for all
  BytesPerSecond rate;
  std::optional<BytesPerSecond> both{}; // the limit of both directions together; none: no further limit
  bool shared = false; // all accesses of a requester share the rate; else each pair of devices has it to itself
  Source source;
};

enum class Protocol { eager, rendezvous };

// A payload takes longer by `penalty` if its size is no multiple of `multiple`.
struct Alignment {
  Bytes multiple{64};
  Seconds penalty;
  bool operator==(const Alignment&) const = default;
};

// The parameters of messages in one range of sizes.
struct Regime {
  Bytes from;              // the smallest size
  std::optional<Bytes> to; // the first size beyond the range; none: no limit
  int trips = 1;           // one-way latencies before the payload's last byte can flow: 1 eager, 3 rendezvous
  PerKind<Seconds> send_overhead{};
  PerKind<Seconds> receive_overhead{};
  PerKind<SecondsPerByte> send_per_byte{};
  PerKind<SecondsPerByte> receive_per_byte{};
  Seconds setup;
  std::optional<BytesPerSecond> cap;
  Seconds gap; // idle time of a connection between two payloads, and least time between two payloads of one sender
  std::optional<Alignment> alignment;
  std::string provider; // name of the mechanism that carries such messages; may be empty
  Source source;

  Protocol protocol() const { return trips > 1 ? Protocol::rendezvous : Protocol::eager; }
  bool covers(Bytes size) const { return size >= from && (!to || size < *to); }
};

// Returns the regimes with the upper border of number `below` moved to `border`; regimes that become empty are left
// out.
std::vector<Regime> with_border(const std::vector<Regime>& regimes, std::size_t below, Bytes border);

enum class Scope { inside_device, inside_node, between_nodes };

// The regimes of one class of paths. The first rule of a fabric that matches a path applies to it.
struct Rule {
  std::optional<Scope> scope;
  std::optional<std::array<DeviceKind, 2>> between; // in either order
  std::optional<LinkType> crosses;
  std::vector<Regime> regimes;    // regimes by size, without gap or overlap
  std::optional<DeviceKind> from; // kinds of the devices that the payload leaves and reaches
  std::optional<DeviceKind> to;
  std::optional<DeviceKind> initiator; // kind of the device that starts the transfer
  bool moved_by_cores = false; // the cores' times per byte hold the payload's whole time; it does not flow on links
  int copies = 1;              // how often cores copy each byte: once from memory to memory, or twice through a buffer
};

// Additions to each regime for every crossing of a link type.
struct Adjustment {
  LinkType crosses;
  std::optional<Protocol> protocol; // none: both
  Seconds latency;                  // added to each trip
  Seconds overhead;                 // added to the core's time at each end, for each trip
  double copy_factor = 1;           // factor of the cores' time for each byte, at both ends
  Seconds gap;
  Source source;
};

// An end of a stage: the message's sender or receiver, or a device of its node.
struct StageEnd {
  Side side = Side::sender;
  std::string device; // local name; empty: the sender or receiver itself
  bool operator==(const StageEnd&) const = default;
};

// A part of a staged fabric's way. It is left out if both ends are the same device and not both ends name it.
struct Stage {
  std::string fabric;
  StageEnd from;
  StageEnd to;
  Side initiator = Side::sender;           // the end that starts the transfer
  std::optional<DeviceKind> only_sender;   // it applies only to messages from such devices
  std::optional<DeviceKind> only_receiver; // it applies only to messages to such devices
};

// The smallest eager payload that the adapter next to the sender fetches: it asks the memory for the payload and gets
// it over the links between them. The core hands over smaller payloads together with the order to send.
struct Fetch {
  Bytes from;
  Source source;
  bool operator==(const Fetch&) const = default;
};

inline constexpr std::size_t scope_count = 3;

// If there are several ways between two devices, the route is the fastest one for a message of this size, without its
// other costs. For larger messages the capacity of a way counts for more than its latency.
inline constexpr Bytes usual_route_size{64 << 10};

struct Fabric {
  std::string name;
  std::vector<LinkType> links;
  bool moved_by_cores = false;         // the value for rules that do not state it
  bool one_sided = false;              // the initiator's core does all the work, whichever way the payload goes
  std::vector<std::string> gateways;   // local names of the devices that traffic between nodes must pass, at both ends
  Bytes route_size = usual_route_size; // the route is the fastest of several ways for such a message
  bool spread = true;        // the destination's number chooses among equally good ways; else all take the first
  bool loop_back = false;    // messages inside a node pass a gateway, too
  bool forwarded = false;    // payloads pass through the hosts' memory, so no device reaches another one's
  bool only_stage = false;   // messages of ranks take it only as a stage of another fabric
  bool hypothetical = false; // nobody has measured it, and its numbers are assumptions
  // Messages from this size on use all gateways of their nodes at once; none: no message does.
  std::optional<Bytes> stripes_from;
  std::optional<Fetch> fetch; // none: no payload is fetched, or the regimes include the time for it
  std::vector<Rule> rules;
  std::vector<Adjustment> adjustments;
  std::vector<Stage> stages;  // if there are any, they carry all messages, and the fabric has no rules
  std::optional<Bytes> chunk; // stages work on pieces of this size at the same time; none: one stage after the other
  // The fabrics that carry the messages of each scope. A fabric with these has neither rules nor stages.
  std::optional<std::array<std::string, scope_count>> by_scope;
};

// The library of collectives between GPUs, its release, and what was measured of it on this machine; what is not stated
// follows from the GPUs and the library's data.
struct GpuLibraryChoice {
  std::string name; // "nccl" or "rccl"; empty: not stated
  GpuRelease version;
  std::optional<Seconds> launch;
  std::optional<Seconds> floor;
  std::optional<double> steps;
  std::optional<double> network_steps;
  std::optional<double> efficiency;
  std::optional<double> network_efficiency;
  Source source;
};

struct Platform {
  std::string name;
  std::string file;
  std::vector<std::string> nodes;
  RateUnit rate_unit; // of what is printed about it
  std::vector<Device> devices;
  std::vector<Link> links;
  std::optional<Torus> torus;
  std::vector<PeerLimit> peer_limits;
  std::vector<Fabric> fabrics;
  MpiSettings mpi;
  GpuLibraryChoice gpu_library;
};

// The words used in files and messages, in the order of the enumerations.
inline constexpr std::array<std::string_view, scope_count> scope_names{"inside-device", "inside-node", "between-nodes"};
inline constexpr std::array<std::string_view, 2> protocol_names{"eager", "rendezvous"};

template <class E, std::size_t N>
constexpr std::optional<E> from_name(const std::array<std::string_view, N>& names, std::string_view name) {
  for (std::size_t i = 0; i < N; ++i)
    if (names[i] == name)
      return static_cast<E>(i);
  return std::nullopt;
}
template <class E, std::size_t N>
constexpr std::string_view name_of(const std::array<std::string_view, N>& names, E value) {
  return names[static_cast<std::size_t>(value)];
}

// Returns the payload per second in each direction: the stated bandwidth, or else what the link's rating gives.
Capacity capacity_of(const Link& link);

// Returns how many transfers the device's DMA engines move at a time, the usual number if none is stated; 0: any
// number.
int dma_engines_of(const Device& device);

// Gives each device that ranks can run on a memory with bandwidth and cache. What the platform does not state is usual
// for the kind of device, but the memory is at least twice as fast as the fastest direction of the device's links.
void assume_memories(Platform& platform);

// Returns the fabric with that name, or null.
inline const Fabric* find_fabric(const Platform& platform, std::string_view name) {
  for (const auto& fabric : platform.fabrics)
    if (fabric.name == name)
      return &fabric;
  return nullptr;
}

// Returns the fabric and all fabrics that carry its messages by scope or as stages.
std::vector<const Fabric*> parts_of(const Platform& platform, const Fabric& fabric);

// Whether the fabric, or one that carries its messages, is stated to be hypothetical.
bool is_hypothetical(const Platform& platform, const Fabric& fabric);

// Returns the index of the device with that full name.
inline std::optional<std::size_t> find_device(const Platform& platform, std::string_view name) {
  for (std::size_t i = 0; i < platform.devices.size(); ++i)
    if (platform.devices[i].name == name)
      return i;
  return std::nullopt;
}

// The name of a fabric that a platform lacks → an error that lists the platform's fabrics.

// The error is one of the scenario. No name: the scenario names no fabric.
Error unknown_fabric(const Platform& platform, const std::optional<std::string>& name);

} // namespace kakehashi
