// The actions of ranks and links → the slices of a time line, at most so many.
//
// Above the limit it keeps the busier half of its ranks and of its links, again and again down to a few; then it keeps
// nothing more, and so has all details up to a time only. Totals are kept of all.
#pragma once

#include "base/units.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace kakehashi {

enum class Activity : std::uint8_t {
  compute,
  send,     // its core works for a message that it sends
  receive,  // or receives
  waiting,  // for a partner
  transfer, // of the message that it waits for
  arrival   // of a message that takes no work of its own: an instant
};
inline constexpr std::array<std::string_view, 6> activity_names{"compute", "send",     "receive",
                                                                "waiting", "transfer", "arrival"};

// An action of a rank that takes a while. Slices of a rank do not overlap, but for arrivals.
struct RankSlice {
  int rank = 0;
  Activity activity = Activity::compute;
  int peer = -1;             // none: -1
  std::uint32_t message = 0; // its number; of compute 0
  Bytes size;
  Seconds start;
  Seconds end;
  std::uint32_t place = 0; // of the program, by the number of the profile of calls; 0: not known
};

// How many transfers a link has from now on.
struct LinkLoad {
  std::uint32_t channel = 0;
  std::uint32_t transfers = 0;
  Seconds since;
};
// A time without a break in which a link has transfers.
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

  std::span<const RankSlice> ranks() const { return ranks_; } // by rank, then start
  std::span<const LinkSlice> links() const { return links_; } // by link, then start
  std::span<const LinkLoad> loads() const { return loads_; }  // by link, then time
  // Messages of which both ends are shown, by number.
  std::span<const std::uint32_t> arrows() const { return arrows_; }

  // Brings all into this order.
  void finish();

  std::size_t most_events() const { return most_; }
  bool shows_rank(int rank) const; // one that did nothing only if all others are shown
  bool shows_link(std::size_t channel) const;
  // Ranks and links that did something, and how many of them are shown.
  struct Coverage {
    std::size_t all = 0;
    std::size_t shown = 0;
  };
  Coverage rank_coverage() const;
  Coverage link_coverage() const;
  std::optional<Seconds> details_end() const { return details_end_; } // none: they are whole

private:
  struct Row {
    bool is_used = false;
    bool is_left_out = false;
    double busy = 0; // s
  };
  struct Link : Row {
    std::uint32_t transfers = 0; // now
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

} // namespace kakehashi
