// A machine as it is drawn: devices with the ranks on them, links with their capacities and how much they were used.
#pragma once

#include "result/summary.hpp"

#include <optional>
#include <string>
#include <vector>

namespace kakehashi {

struct MachineDevice {
  std::string name;
  std::string kind;
  std::optional<std::size_t> node;
  std::vector<std::size_t> ranks;
  std::size_t count = 1; // of alike ones that are drawn as one
};

// The load of one direction of a link.
struct MachineUse {
  double bytes = 0;
  double busy = 0; // share of the run
};

struct MachineLink {
  std::string name;
  std::string kind;
  std::size_t from = 0; // devices
  std::size_t to = 0;
  BytesPerSecond forward;
  BytesPerSecond backward;
  std::optional<MachineUse> forward_use; // none: it carried nothing, or that is not known
  std::optional<MachineUse> backward_use;
  bool is_leg = false;   // no link, but a limited access of one device to another one's memory
  std::size_t count = 1; // of alike ones; then the use is all that they carry, and the busiest one's share
};

struct Machine {
  std::string name;
  std::vector<std::string> nodes;
  std::vector<MachineDevice> devices;
  std::vector<MachineLink> links;
  bool has_use = false;      // whether the uses of links are known
  std::vector<LinkUse> uses; // of all channels, the busiest first
};

} // namespace kakehashi
