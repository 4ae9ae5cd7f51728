// The contents of a platform: its devices, and for each fabric the latency and bandwidth between devices that run
// ranks.
#pragma once

#include "base/units.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kakehashi {

// A list of names from which a user may choose, each with an explanation, or with one of its own choices.
struct Choices {
  std::string what; // "algorithms"
  std::pair<std::string, std::string> columns;
  std::vector<std::pair<std::string, std::string>> rows;
};

// The figures of messages from one device to another, if the fabric has a way.
struct PairFigures {
  std::string links; // types in order of travel: "pcie qpi pcie"; "stages" for a staged fabric
  Seconds latency;   // latency of a message of 8 bytes, one way
  double rate = 0;   // MB/s of a ping-pong of 4 MiB
};

struct FabricInventory {
  std::string name;
  bool is_hypothetical = false;
  std::vector<std::vector<std::optional<PairFigures>>> pairs; // [from][to], indices into the inventory's devices
};

struct PlatformInventory {
  std::string name;
  std::string file;
  RateUnit unit; // of what people read
  std::size_t nodes = 0;
  std::vector<std::pair<std::string, std::size_t>> kinds; // each kind of device, and how many there are
  std::vector<std::string> devices;                       // those in the matrices
  std::vector<std::string> device_kinds;                  // the kind of each of them
  std::vector<std::optional<std::size_t>> device_nodes;
  std::size_t left_out = 0; // devices that run ranks and are not in the matrices
  std::vector<FabricInventory> fabrics;
};

} // namespace kakehashi
