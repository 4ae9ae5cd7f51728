#include "model/device_memory.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace kakehashi {
namespace {

// Returns the share of all bytes in use that each memory has. By turns, memories have equal parts until one is full.
std::vector<double> shares_of(const std::vector<MemoryPart>& parts, bool takes_turns, double in_use) {
  std::vector<double> bytes(parts.size());
  double left = in_use;
  for (std::size_t turn = 0; turn < (takes_turns ? parts.size() : 1); ++turn) {
    const auto has_room = [&](std::size_t i) { return bytes[i] < static_cast<double>(parts[i].size.count); };
    std::size_t open = 0;
    for (std::size_t i = 0; i < parts.size(); ++i)
      open += has_room(i);
    const double part = takes_turns && open > 0 ? left / static_cast<double>(open) : left;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const auto more = std::min({part, left, static_cast<double>(parts[i].size.count) - bytes[i]});
      bytes[i] += more;
      left -= more;
    }
  }
  for (auto& each : bytes)
    each /= in_use;
  return bytes;
}

} // namespace

Memory usual_memory(DeviceKind kind) {
  const auto memory = [](double gigabytes, std::uint64_t mebibytes) {
    const auto text = fmt::format("{} GB/s, {} MiB of cache", gigabytes, mebibytes);
    return Memory{gigabytes_per_second(gigabytes), {}, {}, Bytes{mebibytes << 20}, {SourceKind::assumed, text}};
  };
  switch (kind) {
  case DeviceKind::coprocessor: return memory(150, 28);
  case DeviceKind::gpu: return memory(1000, 32);
  case DeviceKind::dpu: return memory(20, 10); // BlueField-2: one channel of DDR4-3200, 4 MiB of L2 and 6 of L3
  default: return memory(50, 20);
  }
}

BytesPerSecond bandwidth_of(const Memory& memory) {
  constexpr double reached = 0.85;
  constexpr double width = 8; // bytes that a channel moves in each transfer
  if (memory.bandwidth)
    return *memory.bandwidth;
  return {reached * width * static_cast<double>(*memory.channels) * memory.transfers->value};
}

BytesPerSecond bandwidth_of(const std::vector<MemoryPart>& parts, MemoryPolicy policy, Bytes in_use) {
  const auto rate_of = [](const MemoryPart& part) {
    return bandwidth_of(Memory{part.bandwidth, part.channels, part.transfers, {}, {}});
  };
  const auto used = std::max(1.0, static_cast<double>(in_use.count));
  auto shares = shares_of(parts, policy == MemoryPolicy::interleave, used);
  if (policy ==
      MemoryPolicy::cache) { // all bytes pass the first one, and those that it has no room for the others, too
    const auto missed = 1 - shares.front();
    shares = shares_of({parts.begin() + 1, parts.end()}, false, used);
    for (auto& each : shares)
      each *= missed;
    shares.insert(shares.begin(), 1);
  }
  auto rate = rate_of(parts.front());
  bool is_first = true;
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (shares[i] > 0) {
      const BytesPerSecond reached{rate_of(parts[i]).value / shares[i]};
      rate = std::exchange(is_first, false) ? reached : std::min(rate, reached);
    }
  return rate;
}

} // namespace kakehashi
