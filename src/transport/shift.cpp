#include "transport/shift.hpp"

#include "base/interrupt.hpp"

#include <algorithm>

namespace kakehashi {
namespace {

constexpr std::uint32_t none = ~std::uint32_t{0};

// Things → things, one to one, learned pair by pair.
class Exchange {
public:
  // Whether it agrees with all before.
  bool join(std::size_t from, std::size_t to) {
    const auto size = std::max(from, to) + 1;
    if (to_.size() < size) {
      to_.resize(size, none);
      from_.resize(size, none);
    }
    if (to_[from] == none && from_[to] == none) {
      to_[from] = static_cast<std::uint32_t>(to);
      from_[to] = static_cast<std::uint32_t>(from);
    }
    return to_[from] == to;
  }
  std::uint32_t operator[](std::size_t from) const { return to_[from]; }

  // For each thing the least of those that it comes from and becomes.
  std::vector<std::uint32_t> representatives() const {
    std::vector<std::uint32_t> least(to_.size(), none);
    for (std::uint32_t first = 0; first < to_.size(); ++first)
      for (auto thing = first; thing != none && least[thing] == none; thing = to_[thing])
        least[thing] = first;
    return least;
  }

private:
  std::vector<std::uint32_t> to_;
  std::vector<std::uint32_t> from_;
};

class ShiftFinder {
public:
  ShiftFinder(const WayTable& ways, Topology& topology) : ways_(ways), topology_(topology) {}

  bool shifts_by(int ranks) {
    slots_ = channels_ = devices_ = {};
    return ranks_shift(ranks) && slots_are_alike() && ways_shift();
  }
  Shift shift(int ranks) const {
    return {ranks, ways_.ranks() / ranks, channels_.representatives(), devices_.representatives()};
  }

private:
  bool ranks_shift(int by) {
    for (int rank = 0; rank < ways_.ranks(); ++rank)
      if (!slots_.join(ways_.slot(rank), ways_.slot((rank + by) % ways_.ranks())))
        return false;
    return true;
  }

  bool slots_are_alike() {
    for (std::size_t slot = 0; slot < ways_.devices(); ++slot) {
      const auto image = slots_[slot];
      if (ways_.device(slot).kind != ways_.device(image).kind || ways_.cache_on(slot) != ways_.cache_on(image) ||
          !channels_shift(std::array{topology_.memory(ways_.number(slot))},
                         std::array{topology_.memory(ways_.number(image))}))
        return false;
    }
    return true;
  }

  // Each device's ways to all, and those of what it becomes, until that is itself again.
  bool ways_shift() {
    std::vector<bool> is_done(ways_.devices());
    for (std::size_t from = 0; from < ways_.devices(); ++from) {
      if (is_done[from])
        continue;
      for (std::size_t to = 0; to < ways_.devices(); ++to)
        for (std::size_t part = 0; part < ways_.parts(); ++part)
          if (is_interrupted() || !way_shifts(from, to, part)) // the run that follows tells of an interrupt
            return false;
      for (std::size_t slot = from; !is_done[slot]; slot = slots_[slot])
        is_done[slot] = true;
    }
    return true;
  }

  bool way_shifts(std::size_t from, std::size_t to, std::size_t part) {
    const auto first = ways_.make(from, to, part);
    if (!first)
      return false;
    auto way = *first;
    std::size_t here = from, there = to;
    do {
      here = slots_[here];
      there = slots_[there];
      auto next = here == from && there == to ? first : ways_.make(here, there, part);
      if (!next || !is_image(way, *next))
        return false;
      way = std::move(*next);
    } while (here != from || there != to);
    return true;
  }
  bool is_image(const Way& way, const Way& image) {
    return way.chunk == image.chunk &&
           std::ranges::equal(way.stages, image.stages, [&](const Path& a, const Path& b) { return path_shifts(a, b); });
  }

  bool path_shifts(const Path& path, const Path& image) {
    return path.from_kind == image.from_kind && path.to_kind == image.to_kind && path.scope == image.scope &&
           path.stripes == image.stripes && path.fabric == image.fabric && path.rule == image.rule &&
           path.crossings == image.crossings && path.initiator == image.initiator &&
           path.route.latency == image.route.latency && path.route.leg_ends == image.route.leg_ends &&
           channels_shift(path.route.channels, image.route.channels) && channels_shift(path.memory, image.memory) &&
           channels_shift(path.caches, image.caches) && nic_shifts(path.sending_nic, image.sending_nic) &&
           nic_shifts(path.receiving_nic, image.receiving_nic);
  }

  bool channels_shift(std::span<const std::size_t> channels, std::span<const std::size_t> images) {
    return std::ranges::equal(channels, images, [&](std::size_t a, std::size_t b) {
      return topology_.channels()[a].capacity == topology_.channels()[b].capacity && channels_.join(a, b);
    });
  }

  bool nic_shifts(std::optional<std::size_t> nic, std::optional<std::size_t> image) {
    const auto& devices = ways_.platform().devices;
    return nic.has_value() == image.has_value() &&
           (!nic || (devices[*nic].message_rate == devices[*image].message_rate && devices_.join(*nic, *image)));
  }

  const WayTable& ways_;
  Topology& topology_;
  Exchange slots_;
  Exchange channels_;
  Exchange devices_;
};

} // namespace

std::optional<Shift> find_shift(const WayTable& ways, Topology& topology, int step) {
  ShiftFinder finder(ways, topology);
  for (int ranks = step; ranks < ways.ranks(); ranks += step)
    if (ways.ranks() % ranks == 0 && finder.shifts_by(ranks))
      return finder.shift(ranks);
  return std::nullopt;
}

} // namespace kakehashi
