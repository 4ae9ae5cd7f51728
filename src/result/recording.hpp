// The record of a run: the messages that were sent, the times of ranks, and the critical path.
#pragma once

#include "base/units.hpp"
#include "result/path_log.hpp"
#include "result/phase.hpp"
#include "result/traffic.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace kakehashi {

// The actions of ranks and links → the slices of a time line, up to a limit.
//
// When the limit is reached, it drops the less busy half of its ranks and of its links. It repeats this until few are
// left; then it keeps no further slices, so that details end at a certain time. Totals cover everything.
enum class Activity : std::uint8_t {
  compute,
  send,     // its core works for a message that it sends
  receive,  // its core works for a message that it receives
  waiting,  // it waits for a partner
  transfer, // the message that it waits for is on its way
  arrival   // a message arrives without work of its core: an instant
};
inline constexpr std::array<std::string_view, 6> activity_names{"compute", "send",     "receive",
                                                                "waiting", "transfer", "arrival"};

// An action of a rank. The slices of a rank do not overlap, except arrivals.
struct RankSlice {
  int rank = 0;
  Activity activity = Activity::compute;
  int peer = -1;             // -1: none
  std::uint32_t message = 0; // its number; 0: computation has none
  Bytes size;
  Seconds start;
  Seconds end;
  std::uint32_t place = 0; // the place of the program, by its number in the profile of calls; 0: unknown
};

// The number of transfers on a link from a time on.
struct LinkLoad {
  std::uint32_t channel = 0;
  std::uint32_t transfers = 0;
  Seconds since;
};
// An unbroken time in which a link has transfers.
struct LinkSlice {
  std::uint32_t channel = 0;
  std::uint32_t transfers = 0;
  double bytes = 0;
  Seconds start;
  Seconds end;
};

inline constexpr std::size_t usual_timeline_events = 1000000;

class Timeline {
public:
  explicit Timeline(std::size_t most_events = usual_timeline_events) : most_(most_events) {}

  void add(const RankSlice& slice);
  void transfer_starts(std::span<const std::size_t> channels, Bytes size, Seconds now);
  void transfer_ends(std::span<const std::size_t> channels, Seconds now);
  void clear();

  std::span<const RankSlice> ranks() const { return ranks_; } // sorted by rank, then start
  std::span<const LinkSlice> links() const { return links_; } // sorted by link, then start
  std::span<const LinkLoad> loads() const { return loads_; }  // sorted by link, then time
  // The numbers of the messages of which both ends are shown.
  std::span<const std::uint32_t> arrows() const { return arrows_; }

  // Sorts the slices into these orders.
  void finish();

  std::size_t most_events() const { return most_; }
  bool shows_rank(int rank) const; // shows a rank without actions only if all others are shown
  bool shows_link(std::size_t channel) const;
  // How many ranks and links acted, and how many of these are shown.
  struct Coverage {
    std::size_t all = 0;
    std::size_t shown = 0;
  };
  Coverage rank_coverage() const;
  Coverage link_coverage() const;
  std::optional<Seconds> details_end() const { return details_end_; } // none: details are complete

private:
  struct Row {
    bool is_used = false;
    bool is_left_out = false;
    double busy = 0; // seconds
  };
  struct Link : Row {
    std::uint32_t transfers = 0; // at present
    std::uint32_t transfers_of_slice = 0;
    double bytes_of_slice = 0;
    Seconds since;
  };
  std::size_t events() const { return ranks_.size() + links_.size() + loads_.size(); }
  void thin(Seconds now);
  Link& link_of(std::size_t channel);

  std::size_t most_;
  std::vector<RankSlice> ranks_;
  std::vector<LinkSlice> links_;
  std::vector<LinkLoad> loads_;
  std::vector<std::uint32_t> arrows_;
  std::vector<Row> rank_rows_;
  std::vector<Link> link_rows_;
  std::optional<Seconds> details_end_;
};

// Describes the parts that the time line lacks; empty if it is complete.
std::string limits_text(const Timeline& timeline);

struct SentMessage {
  int from = 0;
  int to = 0;
  int tag = 0;
  Bytes size;
  std::size_t way = 0; // index into the engine's table of ways
};

// How a rank spent its time until it ended. Time in which it was blocked is waiting or transfer, unless its core was
// busy.
struct RankTimes {
  Seconds compute;
  Seconds overhead; // its core worked for messages
  Seconds waiting;  // the message that it needed was not on its way, because its partner was busy otherwise
  Seconds transfer; // the message that it needed was on its way

  Seconds total() const { return compute + overhead + waiting + transfer; }
  std::array<Seconds, 4> parts() const { return {compute, overhead, waiting, transfer}; }
};

// Something that the engine does, for those who watch it.
enum class EventCategory { message, flow, match, rounds };
inline constexpr std::array<std::string_view, 4> event_category_names{"message", "flow", "match", "rounds"};
struct EngineEvent {
  EventCategory category = EventCategory::message;
  std::string_view what;
  Seconds time; // by the engine's clock, which left out rounds do not move
  std::uint32_t message = 0;
  int from = 0; // ranks
  int to = 0;
  Bytes size; // of the message, or of what flows
  std::size_t stage = 0;
  std::size_t leg = 0;
  Seconds until; // of rounds: what is simulated up to then stands for so many times as much
  std::uint32_t times = 1;
};
using EngineEvents = std::function<void(const EngineEvent&)>;

// Everything that was recorded of a run.
struct Recording {
  // What is to be recorded:
  bool keep_path = false;  // the critical path and the ranks' times, in bounded memory
  bool keep_steps = false; // keep each step of the path, if there are at most half a million
  std::optional<Timeline> timeline;
  std::optional<Traffic> traffic; // the messages between ranks
  EngineEvents watch;             // is called with each event; empty: nobody watches

  std::vector<double> channel_bytes; // bytes that each channel carried
  std::vector<RankTimes> ranks;
  // The times of all ranks by the place of the program where they are; number 0: no place.
  std::vector<RankTimes> places;
  CriticalPath path;
  std::size_t standing_ranks = 0; // the number of ranks that stood for all, whose path this is; 0: all ranks ran

  // Discards what was recorded.
  void clear() {
    channel_bytes.clear();
    ranks.clear();
    places.clear();
    path = {};
    standing_ranks = 0;
    if (timeline)
      timeline->clear();
    if (traffic)
      traffic->clear();
  }
};

} // namespace kakehashi
