#include "study/machine/exported_costs.hpp"

#include <algorithm>
#include <set>

namespace kakehashi {
namespace {

constexpr Bytes stride{4096}; // a multiple of all alignments that platforms state
constexpr SecondsPerByte least_per_byte{1e-13};

// The sizes from which other parameters apply.
std::vector<Bytes> borders_of(const Path& path) {
  std::set<Bytes> borders;
  for (const auto& regime : path.terms.rule->regimes)
    borders.insert(regime.from);
  if (path.terms.fabric->fetch)
    borders.insert(path.terms.fabric->fetch->from);
  return {borders.begin(), borders.end()};
}

// Two sizes of one range, as far apart as it allows.
struct Probe {
  Bytes low, high;
  double bytes() const { return static_cast<double>(high.count - low.count); }
};
Probe probe_of(Bytes from, std::optional<Bytes> to) {
  const auto up = [](std::uint64_t size) { return (size + stride.count - 1) / stride.count * stride.count; };
  const auto low = up(from.count), high = to ? (to->count - 1) / stride.count * stride.count : low + (1 << 20);
  if (high > low)
    return {{low}, {high}};
  return {{from.count}, {std::max(from.count + 1, to ? to->count - 1 : 0)}};
}

LinearTime linear(const Probe& probe, Seconds low, Seconds high) {
  const SecondsPerByte per_byte{(high - low).value / probe.bytes()};
  return {low - probe.low * per_byte, per_byte};
}

LinearTime time_of(const Path& path, const Probe& probe, const std::deque<Channel>& channels) {
  return linear(probe, lone_time(path, probe.low, channels), lone_time(path, probe.high, channels));
}

Probe probe_at(const std::vector<Bytes>& borders, std::size_t i) {
  return probe_of(borders[i], i + 1 < borders.size() ? std::optional(borders[i + 1]) : std::nullopt);
}

} // namespace

LinearTime shortest_messages(const Path& path, const std::deque<Channel>& channels) {
  return time_of(path, probe_at(borders_of(path), 0), channels);
}

LinearTime longest_messages(const Path& path, const std::deque<Channel>& channels) {
  const auto borders = borders_of(path);
  return time_of(path, probe_at(borders, borders.size() - 1), channels);
}

std::vector<ExportedCosts> costs_of(const Path& path, Seconds latency, BytesPerSecond bandwidth,
                                    const std::deque<Channel>& channels) {
  std::vector<ExportedCosts> costs;
  const auto borders = borders_of(path);
  for (std::size_t i = 0; i < borders.size(); ++i) {
    const auto probe = probe_at(borders, i);
    const auto low = cost_of(path.terms, probe.low), high = cost_of(path.terms, probe.high);
    const auto all = time_of(path, probe, channels);
    ExportedCosts range{borders[i], low.protocol, {}, {}, {}, {}, 1, 1};
    // The sender's and the receiver's time for a message that waits for its receive is not asked for, so it becomes a
    // part of latency and of the time on links.
    if (low.protocol == Protocol::eager) {
      const auto send = linear(probe, low.sender_core, high.sender_core);
      const auto receive = linear(probe, low.receiver_core, high.receiver_core);
      range.send = send.constant;
      range.send_per_byte = send.per_byte;
      range.receive = receive.constant;
      range.receive_per_byte = receive.per_byte;
    }
    range.latency_factor = (all.constant - range.send - range.receive) / latency;
    const auto on_links = std::max(least_per_byte, all.per_byte - core_time_of(range));
    range.bandwidth_factor = 1 / (bandwidth.value * on_links.value);
    costs.push_back(range);
  }
  return costs;
}

SecondsPerByte core_time_of(const ExportedCosts& costs) {
  return costs.send_per_byte + costs.receive_per_byte;
}

} // namespace kakehashi
