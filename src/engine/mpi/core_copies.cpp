#include "engine/mpi/core_copies.hpp"

#include <algorithm>

namespace kakehashi {

// A copy flows only if the message takes one stage: copies by cores in the middle of a way are delays.
bool CoreCopies::flows(const Message& message, Seconds copy) const {
  if (copy.value <= 0 || message.itinerary->stages() > 1 || message.is_remote())
    return false;
  return message.load > 0 || sets_[message.first_set].copies_flow;
}

// The core begins when it is done with what it does before.
std::optional<Occasion> CoreCopies::begin(std::uint32_t id, Seconds core_time, Seconds until_done) {
  ends_.resize(std::max<std::size_t>(ends_.size(), messages_.all().size()));
  ends_[id] = network_.now() + until_done;
  if (until_done <= core_time)
    return flow(id);
  agenda_.add(until_done - core_time, copy_flows, id);
  return std::nullopt;
}

std::optional<Occasion> CoreCopies::handle(Event event) {
  return event.kind == copy_flows ? flow(event.id) : end(event.id);
}

// A core alone has just the time that it needs; all of them may want more than the memory or a link has.
std::optional<Occasion> CoreCopies::flow(std::uint32_t id) {
  const auto& message = messages_[id];
  const auto& cost = message.itinerary->cost(0, 0);
  const auto copy = message.receiver_copies ? cost.receiver_copy : cost.sender_copy;
  const auto& sets = sets_[message.first_set];
  const auto rate = message.size / (cost.sender_copy + cost.receiver_copy);
  // A copy alone has its core's time, so it does not load caches by more than they carry in this time.
  const double load = message.load > 0 ? message.load / Message::most_load : std::min(1.0, sets.cached / rate);
  const double share = copy / (cost.sender_copy + cost.receiver_copy);
  const Bytes bytes{static_cast<std::uint64_t>(load * share * static_cast<double>(message.size.count))};
  if (recorder_)
    recorder_->copy_starts(id, bytes, message.load > 0);
  if (bytes.count == 0)
    return end(id);
  network_.transfer(message.load > 0 ? sets.loaded : sets.plain, bytes, load * rate, {copy_done, id});
  return std::nullopt;
}

// The copy has flowed; the core may take longer.
std::optional<Occasion> CoreCopies::end(std::uint32_t id) {
  if (network_.now() + blur < ends_[id]) {
    agenda_.add(ends_[id] - network_.now(), copy_done, id);
    return std::nullopt;
  }
  return recorder_ ? recorder_->copy_ends(id, messages_[id].load > 0) : Occasion{no_cause, id};
}

} // namespace kakehashi
