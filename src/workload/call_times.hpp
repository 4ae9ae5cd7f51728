// The calls of each rank, one after the other → a profile of all.
#pragma once

#include "model/trace_event.hpp"
#include "result/call_profile.hpp"

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

  // recorded: what the call took then, where that is known.
  void add(int rank, const ProfiledCall& call, Seconds time, Seconds recorded = {});
  // names: of the communicators, the world's first.
  CallProfile profile(const std::vector<std::string>& names) const;

private:
  struct Entry {
    ProfiledCall call; // without its bytes
    std::uint64_t calls = 0;
    double bytes = 0;
    Seconds time;
    Seconds recorded;
  };
  struct RankCalls {
    std::vector<Entry> entries; // as many as there are kinds of calls: few
    Seconds in_mpi;
    Seconds working;
  };
  std::vector<RankCalls> ranks_;
};

} // namespace kakehashi
