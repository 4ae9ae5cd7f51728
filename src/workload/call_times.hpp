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

  // recorded: what the call took then, where that is known. Equal sites and regions of a rank are the same text.
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
    ProfiledCall call; // without its bytes
    std::string site;
    std::string region;
    std::uint64_t calls = 0;
    double bytes = 0;
    Seconds time;
    Seconds recorded;
  };
  struct RankCalls {
    std::vector<Entry> entries;
    std::map<Key, std::size_t> places; // of each, in entries
    Seconds in_mpi;
    Seconds working;
  };
  std::vector<RankCalls> ranks_;
};

} // namespace kakehashi
