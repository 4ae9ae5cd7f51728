// PCI devices and bridges below a socket, as a system lists them → the cards, switches and slots of a node.
#pragma once

#include "model/blueprint.hpp"

#include <cstdint>
#include <map>

namespace kakehashi {

// A function of a PCI device, or a bridge with what is below it.
struct PciPlace {
  std::string bus_id;         // "0000:82:00.0"; empty: a host bridge
  std::uint32_t class_id = 0; // base class and subclass: 0x0207
  std::uint32_t vendor = 0;
  bool is_bridge = false;
  std::optional<int> generation; // of its own link upwards
  std::optional<int> lanes;
  std::optional<BytesPerSecond> rate; // stated, where generation and lanes are not
  std::string known_from;             // what states the link: "lstopo: 15.75 GB/s"
  std::vector<std::string> names;     // of the system: "mlx5_0", "ib0"
  std::string model;
  bool is_infiniband = false;
  bool is_accelerator = false; // the system can compute on it
  std::vector<PciPlace> below;
};

// "0x020700", "0207" → the class; 0 if it is none.
std::uint32_t hexadecimal(std::string_view text);

// Adds what MPI ranks run on and what joins nodes, with the switches on the way to the socket. Numbers cards in the
// order in which they come: gpu0, mic0, hca0, nic0, pcie-switch0.
class PciBuilder {
public:
  explicit PciBuilder(Assembly& parts) : parts_(parts) {}
  // Whether there were any cards among them.
  bool add(const std::string& socket, const std::vector<PciPlace>& places);
  // The device that stands for each bus id.
  const std::map<std::string, std::string>& names() const { return names_; }
  // For the user: cards that seem to rest, whose slots are slower then.
  std::vector<std::string> notes() const;

private:
  struct Branch;
  std::vector<Branch> branches(const std::vector<PciPlace>& places);
  void connect(const std::string& above, const Branch& branch);

  Assembly& parts_;
  std::map<std::string, std::string> names_;
  std::map<std::string, std::size_t> counts_;
  std::vector<std::string> resting_; // names and rates of slots
};

} // namespace kakehashi
