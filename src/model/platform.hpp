// A cluster as checked, immutable values: devices, the links between them, and the fabrics (protocols) that use them.
#pragma once

#include "base/units.hpp"
#include "model/collective.hpp"
#include "model/device_kind.hpp"
#include "model/link_type.hpp"
#include "model/source.hpp"
#include "model/torus.hpp"

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kakehashi {

// The memory of a device, and the caches in front of it. Without a stated bandwidth it has channels and transfers, or
// only a cache.
struct Memory {
  std::optional<BytesPerSecond> bandwidth;     // of reads and writes together, as STREAM counts them
  std::optional<int> channels;                 // of 8 B
  std::optional<TransfersPerSecond> transfers; // of each
  std::optional<Bytes> cache;                  // all caches that its cores share or have; the usual one if nobody says
  Source source;
  // Of a core within the caches, while all copy; none: topology/capacity.hpp.
  std::optional<BytesPerSecond> cache_rate{};
  bool states_bandwidth() const { return bandwidth || channels; }
  bool operator==(const Memory&) const = default;
};

// The memory of a device whose platform states none. Assumed: about what machines of 2012 to 2020 have.
Memory usual_memory(DeviceKind kind);
// What a core has of caches while all cores of its device copy within them: reads and writes together. Assumed; in the
// middle of what Sendrecv between all cores shows on Broadwell (7 to 17 GB/s) and ThunderX2 (8).
inline constexpr BytesPerSecond usual_cache_rate{10e9};

struct Device {
  std::string name; // "hpc01.cpu0", or "switch" outside any node
  DeviceKind kind = DeviceKind::cpu;
  std::optional<std::size_t> node; // index into Platform::nodes
  std::optional<Memory> memory;
  int cores = 0;           // 0: nobody says
  double message_rate = 0; // messages a second that it sends, and that it receives; 0: no limit
  std::optional<BytesPerSecond> duplex_bandwidth{}; // of both directions together
  int stage_threads = 1;                            // that move what passes through in stages, each a piece at a time

  std::string_view local_name() const { return std::string_view(name).substr(name.find('.') + 1); }
};

// The memory of a device, with the usual bandwidth where none is stated.
Memory memory_in_use(const Device& device);

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
  std::optional<LinkRating> rating;     // without a stated bandwidth it has all that the type needs
  std::optional<Capacity> bandwidth;    // stated; it beats the derived one
  std::shared_ptr<const Source> source; // shared by the links of all nodes of a template; null: not stated
  int dimension = 0;                    // of a ring, mesh or torus that it goes up, from 1 on; 0: it is in none
};

// One of the two ends of a message.
enum class Side { sender, receiver };
inline constexpr std::array<std::string_view, 2> side_names{"sender", "receiver"};

// The rate at which one PCIe device reads or writes another one's memory through sockets. Each pair of devices and
// direction has it to itself; the first limit that fits applies.
enum class MemoryAccess { read, write };
inline constexpr std::array<std::string_view, 2> memory_access_names{"read", "write"};
struct PeerLimit {
  DeviceKind requester = DeviceKind::hca;      // who asks
  DeviceKind memory = DeviceKind::coprocessor; // whose memory it is
  MemoryAccess access = MemoryAccess::read;
  std::optional<LinkType> crosses; // only if the leg crosses such a link
  BytesPerSecond rate;
  std::optional<BytesPerSecond> both{}; // of both directions together
  Source source;
};

enum class Protocol { eager, rendezvous };

// Sizes that are no multiple of `multiple` take that much longer.
struct Alignment {
  Bytes multiple{64};
  Seconds penalty;
  bool operator==(const Alignment&) const = default;
};

// How messages of one range of sizes travel.
struct Regime {
  Bytes from;              // first size
  std::optional<Bytes> to; // first size beyond; none: no limit
  int trips = 1;           // one-way latencies before the payload's last byte can flow: 1 eager, 3 rendezvous
  PerKind<Seconds> send_overhead{};
  PerKind<Seconds> receive_overhead{};
  PerKind<SecondsPerByte> send_per_byte{};
  PerKind<SecondsPerByte> receive_per_byte{};
  Seconds setup;
  std::optional<BytesPerSecond> cap;
  Seconds gap; // idle time between two payloads of one sender on one connection
  std::optional<Alignment> alignment;
  std::string provider; // name of what carries such messages; may be empty
  Source source;

  Protocol protocol() const { return trips > 1 ? Protocol::rendezvous : Protocol::eager; }
  bool covers(Bytes size) const { return size >= from && (!to || size < *to); }
};

// The regimes with the border at the end of one of them elsewhere; those that it passes go.
std::vector<Regime> with_border(const std::vector<Regime>& regimes, std::size_t below, Bytes border);

enum class Scope { inside_device, inside_node, between_nodes };

// The regimes of one class of paths. The first rule of a fabric that matches a path applies.
struct Rule {
  std::optional<Scope> scope;
  std::optional<std::array<DeviceKind, 2>> between; // in either order
  std::optional<LinkType> crosses;
  std::vector<Regime> regimes;    // by size, without hole or overlap
  std::optional<DeviceKind> from; // kinds of the ends, in the direction of the payload
  std::optional<DeviceKind> to;
  std::optional<DeviceKind> initiator; // of the end that starts the transfer
  bool moved_by_cores = false; // the payload's time is all in the cores' times per byte; it does not flow on links
  int copies = 1;              // by cores, of each byte: from memory to memory, or into a buffer and out of it
};

// Additions to each regime for every crossing of a link type.
struct Adjustment {
  LinkType crosses;
  std::optional<Protocol> protocol; // none: both
  Seconds latency;                  // to each trip
  Seconds overhead;                 // of the core at either end, for each trip
  double copy_factor = 1;           // of the cores' time for each byte at either end
  Seconds gap;
  Source source;
};

// An end of a stage: the message's sender or receiver, or a device of its node.
struct StageEnd {
  Side side = Side::sender;
  std::string device; // local name; empty: the sender or receiver itself
  bool operator==(const StageEnd&) const = default;
};

// A part of a staged fabric's way. It is left out if its ends are the same device, unless both name it.
struct Stage {
  std::string fabric;
  StageEnd from;
  StageEnd to;
  Side initiator = Side::sender;           // which end of the stage starts the transfer
  std::optional<DeviceKind> only_sender;   // only if the message's sender is of that kind
  std::optional<DeviceKind> only_receiver; // likewise
};

// From a size on the adapter next to the sender fetches an eager payload from memory: it asks for it there and gets it,
// over the links between them. Below, the core hands the payload over with the order to send it.
struct Fetch {
  Bytes from;
  Source source;
  bool operator==(const Fetch&) const = default;
};

inline constexpr std::size_t scope_count = 3;

// Of several ways between two devices the fastest for a message of this size is the route, whatever else a message
// costs: from there on what a way carries counts for more than how long a byte takes on it.
inline constexpr Bytes usual_route_size{64 << 10};

struct Fabric {
  std::string name;
  std::vector<LinkType> links;
  bool moved_by_cores = false;         // of rules that do not state it
  bool one_sided = false;              // the initiator's core does all the work, whichever way the payload goes
  std::vector<std::string> gateways;   // local device names that traffic between nodes must pass, at both ends
  Bytes route_size = usual_route_size; // of several ways the fastest for such a message is the route
  bool spread = true;                  // the destination chooses among equally good ways; else the first is taken
  bool loop_back = false;              // messages inside a node pass a gateway, too
  bool only_stage = false;             // no messages of ranks take it alone
  std::optional<Bytes> stripes_from;   // messages of this size on go through all gateways of their nodes at once
  std::optional<Fetch> fetch;          // none: no payload is fetched, or the regimes' times hold what that takes
  std::vector<Rule> rules;
  std::vector<Adjustment> adjustments;
  std::vector<Stage> stages;  // if there are any, they carry all messages, and the fabric has no rules
  std::optional<Bytes> chunk; // stages work on pieces of this size at the same time; none: one after the other
  // The fabrics that carry all messages of each scope. If there are any, the fabric has neither rules nor stages.
  std::optional<std::array<std::string, scope_count>> by_scope;
};

struct Platform {
  std::string name;
  std::string file;
  std::vector<std::string> nodes;
  std::vector<Device> devices;
  std::vector<Link> links;
  std::optional<Torus> torus;
  std::vector<PeerLimit> peer_limits;
  std::vector<Fabric> fabrics;
  MpiSettings mpi;
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

// The fabric of that name, or null.
inline const Fabric* find_fabric(const Platform& platform, std::string_view name) {
  for (const auto& fabric : platform.fabrics)
    if (fabric.name == name)
      return &fabric;
  return nullptr;
}

// The fabric, and all that its messages may take instead of it or as a stage.
std::vector<const Fabric*> parts_of(const Platform& platform, const Fabric& fabric);

// The index of the device of that full name.
inline std::optional<std::size_t> find_device(const Platform& platform, std::string_view name) {
  for (std::size_t i = 0; i < platform.devices.size(); ++i)
    if (platform.devices[i].name == name)
      return i;
  return std::nullopt;
}

} // namespace kakehashi
