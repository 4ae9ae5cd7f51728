// A device's "memories" → their bandwidth together.
#include "input/platform/part_readers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kakehashi {
namespace {

using nlohmann::json;

// Returns whether the memories are complete, and have room for the data.
bool check_memories(const Device& device, const std::string& place, Faults& faults) {
  bool is_complete = true;
  const auto refuse = [&](const std::string& at, const std::string& message) {
    faults.add(at, message);
    is_complete = false;
  };
  if (device.memory && device.memory->states_bandwidth())
    refuse(place + "/memory", "a device with \"memories\" has its bandwidths there, and only caches here");
  Bytes room;
  for (std::size_t i = 0; i < device.memories.size(); ++i) {
    const auto& part = device.memories[i];
    room.count += part.size.count;
    if (!part.bandwidth && !(part.channels && part.transfers))
      refuse(pointer_to(place + "/memories", i),
             "there is no \"bandwidth\"; expected that, or \"channels\" and \"transfers\"");
    for (std::size_t j = 0; j < i; ++j)
      if (device.memories[j].name == part.name)
        refuse(pointer_to(place + "/memories", i) + "/name",
               mismatch(in_quotes(part.name) + " twice", "each only once"));
  }
  if (device.memory_in_use && *device.memory_in_use > room)
    refuse(place + "/memory_in_use",
           mismatch(to_text(*device.memory_in_use), "no more than the room of all memories, " + to_text(room)));
  return is_complete;
}

} // namespace

void read_memories(const json& entry, const std::string& place, Device& device, Faults& faults) {
  if (!entry.contains("memories")) {
    for (const auto* key : {"memory_policy", "memory_in_use"})
      if (entry.contains(key))
        faults.add(place + "/" + key, "the key goes with \"memories\"");
    return;
  }
  const auto& list = entry["memories"];
  for (std::size_t i = 0; i < list.size(); ++i)
    device.memories.push_back(read_fields<MemoryPart>(list[i], pointer_to(place + "/memories", i), {}, faults));
  if (!check_memories(device, place, faults))
    return;
  auto& memory = device.memory ? *device.memory : device.memory.emplace();
  memory.bandwidth = bandwidth_of(device.memories, device.memory_policy, device.memory_in_use.value_or(Bytes{}));
  std::vector<std::string> names;
  for (const auto& part : device.memories)
    names.push_back(part.name);
  memory.source = device.memories.front().source;
  memory.source.from = fmt::format("{} of {}: {}", name_of(memory_policy_names, device.memory_policy),
                                   fmt::join(names, ", "), memory.source.from);
}

} // namespace kakehashi
