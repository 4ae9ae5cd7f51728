// The terms of a way and a message size → the course that the engine plays, from the sender's core to the receiver's.
//
// A plain message has one stage and one piece. In a staged way, each stage costs as much as a message of the piece's
// size on the stage's own fabric. A stage that a host between the ranks initiates occupies one of the host's threads
// from start to end. The work of a host at the end of a stage that another device initiates is a delay.
#pragma once

#include "transport/cost.hpp"
#include "transport/path.hpp"
#include "transport/way_table.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <unordered_map>
#include <vector>

namespace kakehashi {

struct Itinerary {
  const WayTerms* terms = nullptr;
  Bytes piece; // size of all pieces but the last
  Bytes last_piece;
  std::uint32_t pieces = 1;
  bool is_plain = false;               // one piece on one leg
  Protocol protocol = Protocol::eager; // a staged message is sent without a request, since a host in between takes it
  Bytes stripe;                        // bytes of a plain message that flow on its channels
  std::vector<MessageCost> costs;      // a piece's cost on each stage
  std::vector<MessageCost> last_costs; // the last piece's; empty if that is as large as the others

  std::size_t stages() const { return costs.size(); }
  Bytes size_of(std::uint32_t at) const { return at + 1 == pieces ? last_piece : piece; }
  const MessageCost& cost(std::size_t stage, std::uint32_t at) const {
    return at + 1 == pieces && !last_costs.empty() ? last_costs[stage] : costs[stage];
  }
  // Whether a host between the ranks initiates the first stage, so that all of the stage waits for a thread of the
  // host.
  bool begins_at_worker() const { return terms->stages.front().has_worker; }
  // The time of the rank's core at each end.
  Seconds sender_core() const { return begins_at_worker() ? Seconds{} : cost(0, 0).sender_core; }
  Seconds receiver_core() const { return cost(stages() - 1, pieces - 1).receiver_core; }

  Seconds before_payload() const { return begins_at_worker() ? Seconds{} : cost(0, 0).before_payload(); }
  // The time of a stage before a piece flows and after it has flowed, without the work of the ranks' cores and without
  // before_payload().
  Seconds before_flow(std::size_t stage, std::uint32_t at) const {
    return stage == 0 && at == 0 && !begins_at_worker()
               ? Seconds{}
               : cost(stage, at).sender_core + cost(stage, at).before_payload();
  }
  Seconds after_flow(std::size_t stage, std::uint32_t at) const {
    return stage + 1 == stages() && at + 1 == pieces ? Seconds{} : cost(stage, at).receiver_core;
  }
};

// It keeps a reference to the terms.
Itinerary itinerary_of(const WayTerms& terms, Bytes size);

// Ways and message sizes → itineraries. Ways with equal terms share an itinerary, so there are only as many as classes
// of ways and sizes, however many pairs of devices there are.
class ItineraryTable {
public:
  explicit ItineraryTable(const WayTable& ways) : ways_(ways) {}

  const Itinerary& find(std::uint32_t way, Bytes size) {
    if (way >= class_of_way_.size() || class_of_way_[way] == none)
      classify(way);
    auto& of_class = classes_[class_of_way_[way]];
    if (!of_class.last || of_class.last_size != size)
      of_class.look_up(size);
    return *of_class.last;
  }

private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  struct Class {
    const WayTerms* terms = nullptr;
    std::unordered_map<std::uint64_t, Itinerary> by_size;
    Bytes last_size;
    const Itinerary* last = nullptr;

    void look_up(Bytes size);
  };
  void classify(std::uint32_t way);

  const WayTable& ways_;
  std::map<WayTerms, std::uint32_t> class_of_;
  std::vector<std::uint32_t> class_of_way_;
  std::vector<Class> classes_;
};

// Ways, one after the other → for each way the first one over which lone messages flow equally fast.
class LikeWays {
public:
  // It keeps a reference to the channels.
  explicit LikeWays(const std::deque<Channel>& channels) : channels_(channels) {}

  std::uint32_t first_like(std::uint32_t number, const Way& way);

private:
  const std::deque<Channel>& channels_;
  struct Key {
    WayTerms terms;
    std::vector<BytesPerSecond> rates; // a rate for each leg
    auto operator<=>(const Key&) const = default;
  };
  std::map<Key, std::uint32_t> first_;
};

} // namespace kakehashi
