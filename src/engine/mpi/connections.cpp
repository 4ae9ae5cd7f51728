#include "engine/mpi/connections.hpp"

#include <utility>

namespace kakehashi {

std::uint32_t Connections::add(std::uint64_t key, Seconds now) {
  if (size() == first_.size())
    make_room(now);
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(connections_.size()));
    connections_.emplace_back();
  }
  const auto number = free_.back();
  free_.pop_back();
  connections_[number] = {};
  connections_[number].key = key;
  enter(number);
  return number;
}

void Connections::enter(std::uint32_t number) {
  auto& connection = connections_[number];
  connection.next = std::exchange(first_[place_of(connection.key)], number);
}

void Connections::release(std::uint32_t number, Seconds now) {
  const auto& connection = connections_[number];
  if (connection.is_needed(now))
    return;
  auto* link = &first_[place_of(connection.key)];
  while (*link != number)
    link = &connections_[*link].next;
  *link = connection.next;
  free_.push_back(number);
}

// Forgets what has become unneeded since it was released, and grows if that does not make room.
void Connections::make_room(Seconds now) {
  std::vector<std::uint32_t> kept;
  for (auto number : first_)
    for (; number != none; number = connections_[number].next)
      kept.push_back(number);
  for (const auto number : kept)
    release(number, now);
  if (2 * size() <= first_.size())
    return;
  first_.assign(2 * first_.size(), none);
  --shift_;
  for (const auto number : kept)
    if (connections_[number].is_needed(now))
      enter(number);
}

} // namespace kakehashi
