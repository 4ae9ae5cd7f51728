// The calls of each rank, one after the other → a profile of all.
#pragma once

#include "model/trace_event.hpp"
#include "result/call_profile.hpp"

#include <map>

namespace kakehashi {

// The kind of an event in a profile.
struct ProfiledCall {
  std::string_view name;        // empty: work
  std::size_t communicator = 0; // of a collective call
  bool is_collective = false;
  std::uint64_t bytes = 0;
};
ProfiledCall profiled(const TraceEvent& event);

class CallTimes {
public:
  explicit CallTimes(std::size_t ranks) : ranks_(ranks) {}

  // The number of a place of the program, from 1 on. Equal sites and regions of a rank are the same text.
  std::uint32_t place_of(int rank, const ProfiledCall& call, std::string_view site, std::string_view region);
  // A call there, with its bytes.
  void add(std::uint32_t place, std::uint64_t bytes, Seconds time, Seconds recorded);
  // recorded: what the call took then, where that is known; nothing of work, such as waiting for a GPU.
  void add(int rank, const ProfiledCall& call, Seconds time, Seconds recorded = {}, std::string_view site = {},
           std::string_view region = {});
  // names: of the communicators, the world's first.
  CallProfile profile(const std::vector<std::string>& names) const;

private:
  struct Key {
    const char* call; // null: work
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
    std::uint64_t calls = 0;
    double bytes = 0;
    Seconds time;
    Seconds recorded;
  };
  std::vector<std::map<Key, std::uint32_t>> ranks_; // the places of each
  std::vector<Entry> entries_;                      // of each place
};

} // namespace kakehashi
