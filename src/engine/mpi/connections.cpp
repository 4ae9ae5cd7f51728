#include "engine/mpi/connections.hpp"

#include <algorithm>
#include <bit>

namespace kakehashi {

// Where the key is, or would be.
std::size_t Connections::slot_of(std::uint64_t key) const {
  auto slot = home(key);
  while (slots_[slot].number != none && slots_[slot].key != key)
    slot = (slot + 1) & (slots_.size() - 1);
  return slot;
}

std::uint32_t Connections::find(int from, int to, Seconds now) {
  const auto key = static_cast<std::uint64_t>(from) << 32 | static_cast<std::uint32_t>(to);
  if (!slots_.empty())
    if (const auto known = slots_[slot_of(key)].number; known != none)
      return known;
  if (2 * (size() + 1) > slots_.size())
    sweep(now);
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(connections_.size()));
    connections_.emplace_back();
  }
  const auto number = free_.back();
  free_.pop_back();
  auto& connection = connections_[number];
  connection.key = key;
  connection.sent = connection.delivered = 0;
  connection.free_at = {};
  slots_[slot_of(key)] = {key, number};
  return number;
}

// Closes the gap in the table by moving back what was displaced over it.
void Connections::release(std::uint32_t number, Seconds now) {
  if (connections_[number].is_needed(now))
    return;
  const auto mask = slots_.size() - 1;
  auto gap = slot_of(connections_[number].key);
  for (auto slot = (gap + 1) & mask; slots_[slot].number != none; slot = (slot + 1) & mask)
    if (((slot - home(slots_[slot].key)) & mask) >= ((slot - gap) & mask)) {
      slots_[gap] = slots_[slot];
      gap = slot;
    }
  slots_[gap].number = none;
  free_.push_back(number);
}

// Forgets what has become unneeded since it was released, and grows if that does not make room.
void Connections::sweep(Seconds now) {
  const auto slots = slots_;
  for (const auto& slot : slots)
    if (slot.number != none)
      release(slot.number, now);
  if (4 * (size() + 1) <= slots_.size())
    return;
  const auto count = std::max<std::size_t>(64, 2 * slots_.size());
  std::vector<Slot> kept;
  for (const auto& slot : slots_)
    if (slot.number != none)
      kept.push_back(slot);
  slots_.assign(count, {});
  shift_ = 64 - std::countr_zero(count);
  for (const auto& slot : kept)
    slots_[slot_of(slot.key)] = slot;
}

} // namespace kakehashi
