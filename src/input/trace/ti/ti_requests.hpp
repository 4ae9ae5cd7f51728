// The lines of a rank as events → the same events with what the lines omit: which requests a word means, and which
// receives are from nobody. Part of this follows from the other ranks' lines, part from later lines.
//
//   waitall   all open requests, except those that a wait names before they can have begun again
//   test      the last test of a request that nobody waits for is a wait: it must have succeeded
//   testall…  the same, for all open requests
#pragma once

#include "base/ring.hpp"
#include "input/trace/ti/ti_records.hpp"

#include <deque>

namespace kakehashi {

// Questions that remain open.
struct TiLeftOver {
  TiSign receives; // receives that are never waited for
};

// The facts must outlive it.
class TiRequests : public EventStream {
public:
  // The records must outlive it, too.
  TiRequests(const TiRecords& records, int rank, const TiFacts& facts)
      : records_(records, rank), rank_(rank), facts_(facts) {}

  const std::string& file() const override { return records_.file(); }
  const TraceEvent* next() override;
  const std::optional<Error>& fault() const override { return records_.fault(); }
  TiLeftOver left_over() const; // complete at the end

private:
  struct Open {
    RequestName name;
    std::uint64_t line = 0;
    bool is_persistent = false;
  };
  // How many events it looks ahead.
  static constexpr std::size_t horizon = 10000;

  const TraceEvent* following(std::size_t index);
  bool settle(TraceEvent& event); // false if nothing is left of the event
  bool settle_both(TraceEvent& event);
  bool settle_receive(const ReceiveEvent& receive);
  bool settle_wait(WaitEvent& wait);
  void settle_wait_any();
  void settle_test(TraceEvent& event);
  void settle_wait_all(WaitAllEvent& all);
  bool is_last_test(const RequestName& name);
  bool is_last_test_of_all();
  // These return the place of the request; the number of open ones: it is not among them.
  static std::size_t find(const Ring<Open>& open, const RequestName& name, bool knows_source);
  std::size_t find_open(const RequestName& name) const;

  TiRecordReader records_;
  int rank_;
  const TiFacts& facts_;
  std::deque<TraceEvent> following_;
  TraceEvent event_;
  Ring<Open> open_;
  std::vector<RequestName> over_;          // requests for which the last waitall waited
  std::map<int, std::uint64_t> unnamed_;   // number of receives without a source so far
  std::set<std::pair<int, int>> buffered_; // receiver and tag of buffered sends
  std::uint64_t waits_for_any_ = 0;        // each ended a request without naming it
};

// All ranks' time-independent traces, read once → what they show of each other, and what has to be assumed.
struct TiSurvey {
  std::vector<TiFacts> facts; // facts for each rank
  std::vector<std::string> warnings;
};

// Faults are left to those who read the records again.
TiSurvey survey(const TiRecords& records);

} // namespace kakehashi
