// The lines of a rank as events → the same, with what the lines leave out: which requests a word is about, and which
// receives are from nobody. Some of it comes from what the other ranks do, some from the lines that follow.
//
//   waitall   all requests that are open, but for those that a wait names before they can have begun anew
//   test      the last one of a request that nobody waits for is a wait: it must have succeeded
//   testall…  likewise, for all that are open
#pragma once

#include "input/trace/ti_reader.hpp"

#include <deque>
#include <set>

namespace kakehashi {

// Facts about this trace that follow from the other ranks'. Tags: -1 is any.
struct TiFacts {
  // Of so many receives without a source a message comes; the others are from nobody. Tags that are not here: of all.
  std::map<int, std::uint64_t> received_unnamed;
  std::set<int> silent; // ranks that never send what a sendrecv of this one receives
  std::set<int> deaf;   // ranks that never receive what a sendrecv of this one sends
};
inline constexpr int any_tag_fact = -1;

// The questions that stay open.
struct TiLeftOver {
  TiSign receives; // never waited for
};

// The facts must outlive it.
class TiRequests : public EventStream {
public:
  // see: told of each event as its line has it.
  TiRequests(std::unique_ptr<TiStream> lines, int rank, const TiFacts& facts,
             std::function<void(const TraceEvent&)> see = {});

  const std::string& file() const override { return lines_->file(); }
  const TraceEvent* next() override;
  const std::optional<Error>& fault() const override { return lines_->fault(); }
  const TiSigns& signs() const { return lines_->signs(); }
  TiLeftOver left_over() const; // at the end

private:
  struct Open {
    RequestName name;
    std::uint64_t line;
    bool is_persistent;
  };
  // How far the future is looked into, in events.
  static constexpr std::size_t horizon = 10000;

  const TraceEvent* read();
  bool fill(); // one more event that follows; not if there is none
  const TraceEvent* following(std::size_t index);
  bool settle(TraceEvent& event); // whether anything is left of it
  bool settle_both(TraceEvent& event);
  bool settle_receive(const ReceiveEvent& receive);
  bool settle_wait(WaitEvent& wait);
  void settle_wait_any();
  void settle_test(TraceEvent& event);
  void settle_wait_all(WaitAllEvent& all);
  bool is_last_test(const RequestName& name);
  bool is_last_test_of_all();
  std::deque<Open>::iterator find_open(const RequestName& name);

  std::unique_ptr<TiStream> lines_;
  int rank_;
  const TiFacts& facts_;
  std::function<void(const TraceEvent&)> see_;
  std::deque<TraceEvent> following_;
  TraceEvent event_;
  std::deque<Open> open_;
  std::vector<RequestName> over_;          // that the last waitall waited for
  std::map<int, std::uint64_t> unnamed_;   // receives without a source so far
  std::set<std::pair<int, int>> buffered_; // receiver and tag of buffered sends
  std::uint64_t waits_for_any_ = 0;        // each of which ends a request that it does not name
};

} // namespace kakehashi
