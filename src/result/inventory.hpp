// The contents of a platform: its devices, and each fabric's latency and bandwidth between those that run ranks.
#pragma once

#include "base/units.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kakehashi {

// A list of choices: each name with a word about it, or with one of those that it has.
struct Choices {
  std::string what; // "algorithms"
  std::pair<std::string, std::string> columns;
  std::vector<std::pair<std::string, std::string>> rows;
};

// From one device to another, if the fabric has a way.
struct PairFigures {
  std::string links; // types in order of travel: "pcie qpi pcie"; "stages" of a staged fabric
  Seconds latency;   // of 8 bytes, one way
  double rate = 0;   // MB/s of a ping-pong of 4 MiB
};

struct FabricInventory {
  std::string name;
  std::vector<std::vector<std::optional<PairFigures>>> pairs; // from, to: indices into the inventory's devices
};

struct PlatformInventory {
  std::string name;
  std::string file;
  std::size_t nodes = 0;
  std::vector<std::pair<std::string, std::size_t>> kinds; // of devices, and how many
  std::vector<std::string> devices;                       // of the matrices
  std::vector<std::string> device_kinds;                  // theirs
  std::vector<std::optional<std::size_t>> device_nodes;
  std::size_t left_out = 0; // devices that run ranks and are not among them
  std::vector<FabricInventory> fabrics;
};

} // namespace kakehashi
