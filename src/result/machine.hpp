// A machine as it is drawn: devices with their ranks, and links with their capacities and loads.
#pragma once

#include "result/summary.hpp"

#include <optional>
#include <string>
#include <vector>

namespace kakehashi {

// The load of one direction of a link, or of a memory.
struct MachineUse {
  double bytes = 0;
  double busy = 0; // share of the run in which it is busy
};

struct MachineDevice {
  std::string name;
  std::string kind;
  std::optional<std::size_t> node;
  std::vector<std::size_t> ranks;
  std::size_t count = 1;              // number of similar devices that are drawn as this one
  std::optional<MachineUse> memory{}; // none: it carried nothing, or its load is unknown
};

struct MachineLink {
  std::string name;
  std::string kind;
  std::size_t from = 0; // both are indices into Machine::devices
  std::size_t to = 0;
  BytesPerSecond forward;
  BytesPerSecond backward;
  std::optional<MachineUse> forward_use; // none: it carried nothing, or its load is unknown
  std::optional<MachineUse> backward_use;
  bool is_leg = false; // it is no link, but a limited access of one device to another one's memory
  // Number of similar links; the load is then all that they carry, and the share that of the busiest one.
  std::size_t count = 1;
};

struct Machine {
  std::string name;
  std::vector<std::string> nodes;
  std::vector<MachineDevice> devices;
  std::vector<MachineLink> links;
  bool has_use = false;      // whether the loads of links are known
  std::vector<LinkUse> uses; // the loads of all channels, the busiest first
  RateUnit unit{};           // of what is printed
};

} // namespace kakehashi
