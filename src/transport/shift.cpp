#include "transport/shift.hpp"

#include "base/interrupt.hpp"

#include <algorithm>

namespace kakehashi {
namespace {

constexpr std::uint32_t none = ~std::uint32_t{0};

// A one-to-one map of numbers, learned pair by pair.
class Exchange {
public:
  // Adds a pair; false if it contradicts an earlier one.
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
  const std::vector<std::uint32_t>& all() const { return to_; } // `none`: the number was in no pair

private:
  std::vector<std::uint32_t> to_;
  std::vector<std::uint32_t> from_;
};

// Sets of numbers that maps lead to from each other; the first number represents its set.
class Orbits {
public:
  void join(const Exchange& exchange) {
    const auto& to = exchange.all();
    for (auto thing = first_.size(); thing < to.size(); ++thing)
      first_.push_back(static_cast<std::uint32_t>(thing));
    for (std::uint32_t thing = 0; thing < to.size(); ++thing)
      if (to[thing] != none) {
        const auto [less, more] = std::minmax({first_of(thing), first_of(to[thing])});
        first_[more] = less;
      }
  }
  std::vector<std::uint32_t> representatives() {
    for (std::uint32_t thing = 0; thing < first_.size(); ++thing)
      first_[thing] = first_of(thing);
    return first_;
  }

private:
  std::uint32_t first_of(std::uint32_t thing) {
    while (first_[thing] != thing)
      thing = first_[thing] = first_[first_[thing]];
    return thing;
  }

  std::vector<std::uint32_t> first_; // the first number of the set, or one nearer to it
};

// A map of ranks, and the maps of everything on their ways that follow from it.
class Move {
public:
  Move(const WayTable& ways, Topology& topology, bool takes_turns)
      : ways_(ways), topology_(topology), takes_turns_(takes_turns) {}

  bool shifts_by(int ranks) {
    return is_alike([&](int rank) { return (rank + ranks) % ways_.ranks(); });
  }
  // Tries to exchange the blocks of `ranks` ranks whose numbers differ in this bit.
  bool exchanges(int ranks, int bit) {
    return is_alike([&](int rank) { return ((rank / ranks) ^ bit) * ranks + rank % ranks; });
  }
  bool mirrors() {
    return is_alike([&](int rank) { return ways_.ranks() - 1 - rank; });
  }
  const Exchange& channels() const { return channels_; }
  const Exchange& nics() const { return nics_; } // devices with a message rate

private:
  template <class Image> bool is_alike(Image image) { return ranks_move(image) && slots_are_alike() && ways_move(); }

  template <class Image> bool ranks_move(Image image) {
    for (int rank = 0; rank < ways_.ranks(); ++rank)
      if (!slots_.join(ways_.slot(rank), ways_.slot(image(rank))) || !places_move(rank, image(rank)) ||
          (ways_.has_domains() && !domains_.join(ways_.domain_of(rank), ways_.domain_of(image(rank)))))
        return false;
    return true;
  }

  // The places of lanes elsewhere, and copies to them and back.
  bool places_move(int rank, int image) {
    const auto own = ways_.slot(rank), own_image = ways_.slot(image);
    for (std::size_t number = 0; number < ways_.lanes().size(); ++number) {
      if (const auto& lane = ways_.lanes()[number]; !lane.is_open || lane.place == LanePlace::device)
        continue;
      const auto lane = static_cast<LaneNumber>(number);
      const auto place = ways_.slot(rank, lane), place_image = ways_.slot(image, lane);
      if (!copy_moves(own, place, own_image, place_image) || !copy_moves(place, own, place_image, own_image) ||
          !slots_.join(place, place_image))
        return false;
    }
    return true;
  }

  bool copy_moves(std::size_t from, std::size_t to, std::size_t from_image, std::size_t to_image) {
    const auto route = ways_.copy_route(from, to);
    const auto other = ways_.copy_route(from_image, to_image);
    return route.latency == other.latency && channels_move(route.channels, other.channels);
  }

  bool slots_are_alike() {
    for (std::size_t slot = 0; slot < ways_.devices(); ++slot) {
      const auto image = slots_[slot];
      if (ways_.device(slot).kind != ways_.device(image).kind || ways_.cache_on(slot) != ways_.cache_on(image) ||
          !channels_move(std::array{topology_.memory(ways_.number(slot))},
                         std::array{topology_.memory(ways_.number(image))}))
        return false;
    }
    return true;
  }

  // Compares the ways of each device with those of its image, until the images return to the device.
  bool ways_move() {
    std::vector<bool> is_done(ways_.devices());
    for (std::size_t from = 0; from < ways_.devices(); ++from) {
      if (is_done[from])
        continue;
      for (std::size_t to = 0; to < ways_.devices(); ++to)
        for (std::size_t part = 0; part < ways_.parts(); ++part)
          if (ways_.field_of(from) == ways_.field_of(to) &&
              (is_interrupted() || !way_moves(from, to, part))) // the run that follows reports an interrupt
            return false;
      for (std::size_t slot = from; !is_done[slot]; slot = slots_[slot])
        is_done[slot] = true;
    }
    return true;
  }

  bool way_moves(std::size_t from, std::size_t to, std::size_t part) {
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
           std::ranges::equal(way.stages, image.stages, [&](const Path& a, const Path& b) { return path_moves(a, b); });
  }

  // Names all members, so that this does not compile if one is added. The maps of slots compare the ends.
  bool path_moves(const Path& path, const Path& image) {
    const auto& [from, to, scope, terms, route, memory, caches, domains, worker, sending_nic, receiving_nic] = path;
    const auto& [channels, leg_ends, links, latency] = route; // the channels include those of the links
    return scope == image.scope && terms == image.terms && leg_ends == image.route.leg_ends &&
           latency == image.route.latency && channels_move(channels, image.route.channels) &&
           channels_move(memory, image.memory) && channels_move(caches, image.caches) &&
           channels_move(listed(domains), listed(image.domains)) && worker_moves(worker, image.worker) &&
           nic_moves(sending_nic, image.sending_nic) && nic_moves(receiving_nic, image.receiving_nic);
  }

  // Fails if a channel is its own image, since images of ranks would share it.
  bool channels_move(std::span<const std::size_t> channels, std::span<const std::size_t> images) {
    return std::ranges::equal(channels, images, [&](std::size_t a, std::size_t b) {
      return a != b && topology_.channels()[a].capacity == topology_.channels()[b].capacity && channels_.join(a, b);
    });
  }

  static std::span<const std::size_t> listed(const std::optional<std::size_t>& channel) {
    return channel ? std::span(&*channel, 1) : std::span<const std::size_t>();
  }

  bool worker_moves(const std::optional<Worker>& worker, const std::optional<Worker>& image) {
    const auto& devices = ways_.platform().devices;
    return worker.has_value() == image.has_value() && (!worker || (takes_turns_ && worker->kind == image->kind &&
                                                                   at_a_time(devices[worker->device], worker->kind) ==
                                                                       at_a_time(devices[image->device], image->kind) &&
                                                                   nics_.join(worker->device, image->device)));
  }

  bool nic_moves(std::optional<std::size_t> nic, std::optional<std::size_t> image) {
    const auto& devices = ways_.platform().devices;
    return nic.has_value() == image.has_value() &&
           (!nic ||
            (takes_turns_ && devices[*nic].message_rate == devices[*image].message_rate && nics_.join(*nic, *image)));
  }

  const WayTable& ways_;
  Topology& topology_;
  bool takes_turns_; // the ways may have NICs with a message rate
  Exchange slots_;
  Exchange domains_;
  Exchange channels_;
  Exchange nics_;
};

// Whether each number that moves is in an orbit of `images` numbers.
bool have_own(const Exchange& moved, const std::vector<std::uint32_t>& representatives, int images) {
  std::vector<int> sizes(representatives.size());
  for (const auto first : representatives)
    ++sizes[first];
  for (std::size_t thing = 0; thing < moved.all().size(); ++thing)
    if (moved.all()[thing] != none && sizes[representatives[thing]] != images)
      return false;
  return true;
}

// Returns the ranks with the channels and devices on their ways, if the maps move all of these. Returns nothing if
// images of a rank share one of them: they would take turns, which ranks that all act at the same time cannot.
std::optional<Shift> shift_of(RankImages ranks, std::span<const Move* const> moves) {
  Orbits channels, nics;
  for (const auto* move : moves) {
    channels.join(move->channels());
    nics.join(move->nics());
  }
  Shift shift{ranks, channels.representatives(), nics.representatives()};
  const auto& move = *moves.front(); // all maps move the same channels and devices
  if (!have_own(move.channels(), shift.channels, shift.images) || !have_own(move.nics(), shift.devices, shift.images))
    return std::nullopt;
  return shift;
}

} // namespace

std::optional<Shift> find_shift(const WayTable& ways, Topology& topology, int step, bool may_mirror) {
  const int all = ways.ranks();
  const bool takes_turns = !may_mirror; // mirrored messages would come from both sides at once, and the ranks' numbers
                                        // would decide which is first
  Move mirror(ways, topology, takes_turns);
  const bool is_mirrored = may_mirror && mirror.mirrors();
  for (int by = step; by <= all; by += step) {
    Move move(ways, topology, takes_turns);
    if (all % by != 0 || (by < all && !move.shifts_by(by)))
      continue;
    std::vector<const Move*> moves;
    if (by < all)
      moves.push_back(&move);
    if (is_mirrored && by % 2 == 0) {
      moves.push_back(&mirror);
      if (auto shift = shift_of({.ranks = by / 2, .images = 2 * all / by, .is_mirrored = true, .of = all}, moves))
        return shift;
      moves.pop_back();
    }
    if (!moves.empty())
      if (auto shift = shift_of({.ranks = by, .images = all / by, .of = all}, moves))
        return shift;
  }
  return std::nullopt;
}

std::optional<Shift> find_images(const WayTable& ways, Topology& topology, const RankImages& ranks) {
  std::vector<Move> moves;
  const auto add = [&] { return &moves.emplace_back(ways, topology, true); };
  if (!ranks.changes_places && !add()->shifts_by(ranks.ranks))
    return std::nullopt;
  for (int bit = 1; ranks.changes_places && bit < ranks.images; bit *= 2)
    if (!add()->exchanges(ranks.ranks, bit))
      return std::nullopt;
  std::vector<const Move*> all;
  for (const auto& move : moves)
    all.push_back(&move);
  return shift_of(ranks, all);
}

} // namespace kakehashi
