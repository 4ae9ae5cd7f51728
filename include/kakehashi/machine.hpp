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
//   builder.fabric("tcp", {"pcie", "ethernet"}, {"nic"}, {{.from = 0 * B, .o_send = microseconds(3), .o_recv =
//   microseconds(3)}}); const Machine machine = builder.build();
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

// Immutable, and cheap to copy.
class Machine {
public:
  // Error: all faults of the file.
  static Machine load(const std::string& file);
  // The text of a platform file; `name` stands for the file in errors.
  static Machine parse(const std::string& json, const std::string& name);

  std::string name() const;
  std::vector<std::string> fabrics() const;
  std::vector<std::string> devices() const; // that ranks can run on, as "node0.cpu0", in the order of the platform

  // For the library.
  const std::shared_ptr<const kakehashi::Platform>& platform() const { return platform_; }

private:
  explicit Machine(std::shared_ptr<const kakehashi::Platform> platform) : platform_(std::move(platform)) {}
  std::shared_ptr<const kakehashi::Platform> platform_;
};

// What a message of a size costs besides its way, as a platform's regimes say it.
struct Regime {
  Bytes from{};                        // the first size; the regime ends where the next one begins
  int trips = 1;                       // one-way latencies before the last byte can flow: 1 eager, 3 rendezvous
  Seconds o_send{};                    // of the sending core
  Seconds o_recv{};                    // of the receiving core
  Seconds setup{};                     //
  Seconds gap{};                       // between two messages of one sender
  std::optional<BytesPerSecond> cap{}; // the most that one message reaches
};

// Collects a platform as its file would describe it; build() checks it as a file is checked.
class MachineBuilder {
public:
  explicit MachineBuilder(std::string name);
  MachineBuilder(MachineBuilder&&) noexcept;
  MachineBuilder& operator=(MachineBuilder&&) noexcept;
  ~MachineBuilder();

  // Kinds: cpu, coprocessor, gpu (on which ranks run), hca, nic, peach2, switch, tofu. In a node the device is called
  // NODE.NAME from then on; the shorter form makes one outside any node, such as a switch.
  MachineBuilder& device(const std::string& node, const std::string& name, const std::string& kind);
  MachineBuilder& device(const std::string& name, const std::string& kind);

  // Between two devices of one node, or of different ones. Types: qpi, upi, pcie, nvlink, infiniband, ethernet, peach2,
  // tofu. The rate is that of each direction; the latency is that of one way.
  MachineBuilder& link(const std::string& from, const std::string& to, const std::string& type, BytesPerSecond rate,
                       Seconds latency = {});

  // A protocol over links of these types; messages between nodes pass a gateway of each node, unless there is none.
  // The regimes are in the order of their sizes, the first one from 0 B.
  MachineBuilder& fabric(const std::string& name, const std::vector<std::string>& link_types,
                         const std::vector<std::string>& gateways, const std::vector<Regime>& regimes);

  // Error: all faults, with their places in the platform's file.
  Machine build() const;

private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

} // namespace kakehashi::api
