// PCI devices and bridges below a socket, as a system lists them → the cards, switches and slots of a node.
#pragma once

#include "input/import/formats.hpp"
#include "model/blueprint.hpp"

#include <cstdint>
#include <map>

namespace kakehashi {

// A function of a PCI device, or a bridge and the places below it.
struct PciPlace {
  std::string bus_id;         // "0000:82:00.0"; empty: a host bridge
  std::uint32_t class_id = 0; // base class and subclass: 0x0207
  std::uint32_t vendor = 0;
  std::uint32_t device = 0; // the vendor's number of it
  bool is_bridge = false;
  std::optional<int> generation; // the generation of its link upwards
  std::optional<int> lanes;
  std::optional<BytesPerSecond> rate; // the stated rate, if generation and lanes are not stated
  std::string known_from;             // the source of the link: "lstopo: 15.75 GB/s"
  std::vector<std::string> names;     // the system's names: "mlx5_0", "ib0"
  std::string model;
  const GpuType* type = nullptr; // type of a GPU, by what the file states beside its numbers; null: unknown
  bool is_infiniband = false;
  bool is_accelerator = false; // whether the system can compute on it
  bool is_virtual = false;     // an SR-IOV function of an adapter
  std::vector<PciPlace> below;
};

// Reads "0x020700" or "0207"; 0 if it is no number.
std::uint32_t hexadecimal(std::string_view text);

// The slot of a card or switch whose link the program's file does not state: of the stated generation or that of the
// GPUs' type with 16 lanes, or else a usual one.
Cable usual_slot(DeviceKind kind, const ImportOptions& options, std::string_view program);

// Adds the devices on which MPI ranks run or that join nodes, and the switches between them and the socket. Cards are
// numbered in their order: gpu0, mic0, hca0, nic0, pcie-switch0.
class PciBuilder {
public:
  PciBuilder(Assembly& parts, const ImportOptions& options) : parts_(parts), options_(options) {}
  // Adds the cards among the places; false if there are none.
  bool add(const std::string& socket, const std::vector<PciPlace>& places);
  // The device for each bus id.
  const std::map<std::string, std::string>& names() const { return names_; }
  // Notes for the user on cards whose slots seem to be slow because the cards rest.
  std::vector<std::string> notes() const;

private:
  struct Branch;
  std::vector<Branch> branches(const std::vector<PciPlace>& places);
  void connect(const std::string& above, const Branch& branch);

  Assembly& parts_;
  ImportOptions options_;
  std::map<std::string, std::string> names_;
  std::map<std::string, std::size_t> counts_;
  std::vector<std::string> resting_; // their names and the rates of their slots
};

} // namespace kakehashi
