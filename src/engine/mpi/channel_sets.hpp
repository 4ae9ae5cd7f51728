// Ways → the network's sets of channels that payloads flow over, and the NICs and hosts in which messages wait for
// their turn.
#pragma once

#include "engine/flow/network.hpp"
#include "transport/shift.hpp"

#include <array>
#include <deque>
#include <limits>
#include <map>

namespace kakehashi {

class ChannelSets {
public:
  // With a shift the channels and devices of others are those that stand for them.
  ChannelSets(Network& network, const WayTable& ways, const Shift* shift)
      : network_(network), ways_(ways), shift_(shift) {}

  // The sets for a leg of a way.
  struct Leg {
    const Path* path = nullptr;          // whose leg it is
    std::size_t place = 0;               // among the path's legs
    std::array<std::uint32_t, 4> sets{}; // by the number of what is loaded; none: not needed yet
    std::uint32_t sending_nic = none;    // in nics_
    std::uint32_t receiving_nic = none;
    std::uint32_t worker = none;                                    // in workers_
    bool copies_flow = false;                                       // copies by cores flow over links
    BytesPerSecond cached{std::numeric_limits<double>::infinity()}; // what caches give a copy that has them to itself
  };
  // A message on a stage.
  struct Place {
    std::uint32_t id;
    std::size_t stage;
  };
  // The number of a way's first leg.
  std::uint32_t first_of(std::uint32_t way) {
    return way < first_.size() && first_[way] != none ? first_[way] : add_way(way);
  }
  const Leg& operator[](std::size_t number) const { return legs_[number]; }
  // The number of a leg of a stage.
  static std::size_t number_of(std::uint32_t first, const WayTerms& way, std::size_t stage, std::size_t leg) {
    for (std::size_t i = 0; i < stage; ++i)
      leg += way.stages[i].legs;
    return first + leg;
  }
  // The network's set for messages on the leg that load that; made when it is first used.
  std::uint32_t set_of(std::size_t leg, Loads loads) {
    const auto set = legs_[leg].sets[loads.number()];
    return set != none ? set : add_set(leg, loads);
  }

  // The set of the memory that a rank works on.
  std::uint32_t of_memory(std::size_t channel) { return add({channel}); }
  // The set of a copy between a rank's GPU and its host.
  std::uint32_t of_copy(const std::vector<std::size_t>& channels) { return add(channels); }

  // How long a message that comes at that time waits for its turn at the NICs that send and receive it.
  Seconds pass_nics(const Leg& leg, Seconds at);

  // Gives a free thread of the stage's worker to the message, or lets it wait for one. Returns whether it has one. leg:
  // the first of the stage.
  bool takes_thread(const Leg& leg, Place place);
  // Takes the thread back. Returns the message that has waited longest and has the thread now, if one waits.
  std::optional<Place> leave_thread(const Leg& leg);

private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  struct Nic {
    Seconds interval; // between two messages
    Seconds free_at;
  };

  struct Turns {
    int idle; // threads or engines
    std::deque<Place> waiting;
  };

  std::uint32_t add_way(std::uint32_t way);
  Leg make(const Path& path, std::size_t leg);
  std::uint32_t add_set(std::size_t leg, Loads loads);
  std::uint32_t add(std::vector<std::size_t> channels);
  std::uint32_t number_of_nic(std::optional<std::size_t> device, bool receives);
  std::uint32_t number_of_worker(const std::optional<Worker>& worker);

  Network& network_;
  const WayTable& ways_;
  const Shift* shift_;
  std::vector<std::uint32_t> first_; // the first leg of each way, in legs_
  std::vector<Leg> legs_;            // all legs of all stages of each way
  std::vector<Nic> nics_;            // the directions of devices with a message rate
  std::map<std::pair<std::size_t, bool>, std::uint32_t> nic_numbers_;
  std::vector<Turns> workers_;
  std::map<std::pair<std::size_t, WorkerKind>, std::uint32_t> worker_numbers_;
};

} // namespace kakehashi
