// The calls of each rank, one after the other → a profile of all calls.
#pragma once

#include "model/trace_event.hpp"
#include "result/call_profile.hpp"

namespace kakehashi {

// How a profile names an event.
struct ProfiledCall {
  std::string_view name;        // empty: work
  std::size_t communicator = 0; // a collective call's communicator
  bool is_collective = false;
  std::uint64_t bytes = 0;
};
ProfiledCall profiled(const TraceEvent& event);
ProfiledCall profiled(const CollectiveEvent& call);

class CallTimes {
public:
  explicit CallTimes(std::size_t ranks) : ranks_(ranks) {}

  // Returns the number of a place of the program, from 1. Equal sites and regions of a rank must be the same pointer.
  std::uint32_t place_of(int rank, const ProfiledCall& call, std::string_view site, std::string_view region);
  // Adds a call at the place for which the rank asked last, with its bytes.
  void add(int rank, std::uint64_t bytes, Seconds time, Seconds recorded) {
    auto& [places, last] = ranks_[static_cast<std::size_t>(rank)];
    auto& sums = places[last].sums;
    ++sums.calls;
    sums.bytes += static_cast<double>(bytes);
    sums.time += time;
    sums.recorded += recorded;
  }
  // `recorded` is the time of the call when it was recorded, if known; work such as waiting for a GPU has none.
  void add(int rank, const ProfiledCall& call, Seconds time, Seconds recorded = {}, std::string_view site = {},
           std::string_view region = {});
  // `names` are those of the communicators, the world's first.
  CallProfile profile(const std::vector<std::string>& names) const;

private:
  struct Key {
    const char* call; // null: it is work
    std::size_t communicator;
    const char* site;
    const char* region;
    auto operator<=>(const Key&) const = default;
  };
  struct Entry {
    std::size_t rank = 0;
    ProfiledCall call; // without its bytes
    std::string site;
    std::string region;
  };
  struct Sums {
    std::uint64_t calls = 0;
    double bytes = 0;
    Seconds time;
    Seconds recorded;
  };
  struct Place {
    Key key;
    Sums sums; // beside the key, as each call needs both
    std::uint32_t number = 0;
    std::uint32_t next = 0; // index of the place that came after it last time, if no new one has moved that
  };
  struct Places {
    std::vector<Place> by_key;
    std::size_t last = 0;
  };
  std::vector<Places> ranks_;
  std::vector<Entry> entries_; // the entry of each place
};

} // namespace kakehashi
