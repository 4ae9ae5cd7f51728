// A cluster: read from a platform file, or built in code.
//
//   const auto machine = Machine::load("platforms/colfax-mic.json");
//
//   MachineBuilder builder("pair");
//   for (const auto* node : {"n0", "n1"}) {
//     builder.device(node, "cpu", "cpu").device(node, "nic", "nic");
//     builder.link(std::string(node) + ".cpu", std::string(node) + ".nic", "pcie", gigabytes_per_second(6));
//   }
//   builder.link("n0.nic", "n1.nic", "ethernet", gigabits_per_second(10), microseconds(5));
//   builder.fabric("tcp", {"pcie", "ethernet"}, {"nic"},
//                  {{.from = 0 * B, .o_send = microseconds(3), .o_recv = microseconds(3)}});
//   const Machine machine = builder.build();
#pragma once

#include "kakehashi/error.hpp"
#include "kakehashi/units.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kakehashi {
struct Platform;
}

namespace kakehashi::api {

// An immutable machine, cheap to copy.
class Machine {
public:
  // Throws an Error with all faults of the file.
  static Machine load(const std::string& file);
  // Reads the text of a platform file; errors call the file `name`.
  static Machine parse(const std::string& json, const std::string& name);

  std::string name() const;
  std::vector<std::string> fabrics() const;
  std::vector<std::string> devices() const; // those that ranks can run on, as "node0.cpu0", in the platform's order

  // The library itself needs this.
  const std::shared_ptr<const kakehashi::Platform>& platform() const { return platform_; }

private:
  explicit Machine(std::shared_ptr<const kakehashi::Platform> platform) : platform_(std::move(platform)) {}
  std::shared_ptr<const kakehashi::Platform> platform_;
};

// The cost of a message in one range of sizes, besides its links: the regime of a platform file.
struct Regime {
  Bytes from{};                        // the smallest size; the regime ends where the next one begins
  int trips = 1;                       // one-way latencies before the last byte can flow: 1 eager, 3 rendezvous
  Seconds o_send{};                    // time of the sending core
  Seconds o_recv{};                    // time of the receiving core
  Seconds setup{};                     // delay before the payload in which no core is busy
  Seconds gap{};                       // least time between two messages of one sender
  std::optional<BytesPerSecond> cap{}; // the highest rate of one message
};

// Collects the parts of a platform; build() checks them as if they had been read from a file.
class MachineBuilder {
public:
  explicit MachineBuilder(std::string name);
  MachineBuilder(MachineBuilder&&) noexcept;
  MachineBuilder& operator=(MachineBuilder&&) noexcept;
  ~MachineBuilder();

  // Kinds: cpu, coprocessor, gpu (ranks run on these three), hca, nic, peach2, switch, tofu. A device of a node is
  // called NODE.NAME from then on; the shorter form makes a device outside all nodes, such as a switch.
  MachineBuilder& device(const std::string& node, const std::string& name, const std::string& kind);
  MachineBuilder& device(const std::string& name, const std::string& kind);

  // Joins two devices, of one node or of two. Types: qpi, upi, pcie, nvlink, infiniband, ethernet, peach2, tofu. `rate`
  // is the rate of each direction, `latency` that of one way.
  MachineBuilder& link(const std::string& from, const std::string& to, const std::string& type, BytesPerSecond rate,
                       Seconds latency = {});

  // Adds a protocol over links of these types. Messages between nodes pass a gateway of each node; without gateways
  // they need none. The regimes are in the order of their sizes and begin with 0 B.
  MachineBuilder& fabric(const std::string& name, const std::vector<std::string>& link_types,
                         const std::vector<std::string>& gateways, const std::vector<Regime>& regimes);

  // Throws an Error with all faults and their places in the platform's file.
  Machine build() const;

private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

} // namespace kakehashi::api
