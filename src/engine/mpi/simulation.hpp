// Programs of ranks on a network → when each rank ends.
//
// A program runs until it asks for an operation; then its rank works (RankWork) or takes part in messages
// (messages.hpp), and what happens to these resumes it. What is due is handled in order of time.
#pragma once

#include "base/error.hpp"
#include "engine/flow/network.hpp"
#include "engine/mpi/channel_sets.hpp"
#include "engine/mpi/message_pool.hpp"
#include "engine/mpi/messages.hpp"
#include "engine/mpi/rank_table.hpp"
#include "engine/record/recorder.hpp"
#include "workload/program.hpp"

#include <map>
#include <optional>
#include <vector>

namespace kakehashi {

// Work of ranks for themselves: they compute, on their core or on other workers of their lanes, and copy between the
// places of these.
class RankWork {
public:
  // Keeps references.
  RankWork(const Setting& setting, Agenda& agenda, RankTable& ranks, ChannelSets& sets);

  // The rank resumes when that is done, or at once if the work does not block.
  void compute(int rank, const ComputeOperation& work, Occasion why);
  // An engine moves the bytes over the links between the places, and the core waits. Fails if there are no links.
  void copy(int rank, const CopyOperation& copy, Occasion why);

  // The rank takes part in the call, and resumes when that is done, or at once if it does not block.
  void join(int rank, const JointOperation& joint, Occasion why);

  // Handles one of the events from work_done on. Returns the rank that resumes by that at once, if any.
  std::optional<int> handle(Event event);

private:
  void compute_on_core(int rank, const ComputeOperation& work, Occasion why);
  void compute_aside(int rank, const ComputeOperation& work, Occasion why);
  std::uint32_t take_aside(int rank, bool is_awaited);
  void end_aside(std::uint32_t slot);
  bool has_ended(int rank);
  std::vector<std::size_t> channels_of(int rank, const CopyOperation& copy);
  void flow_copy(int rank);
  void end_copy(int rank);

  const Setting& setting_;
  Network& network_;
  Recorder* recorder_;
  Agenda& agenda_;
  RankTable& ranks_;
  ChannelSets& sets_;
  std::vector<Seconds> work_ends_;      // the earliest end of each rank's work; when its copy began
  std::vector<std::uint32_t> memories_; // each place's set of channels, once it is needed
  std::map<std::vector<std::size_t>, std::uint32_t> copies_; // sets of the channels of copies
  struct Aside {
    int rank;
    std::uint32_t request;
  };
  std::vector<Aside> asides_;
  std::vector<std::uint32_t> free_asides_;
  struct Joint {
    std::map<int, std::uint32_t> asides; // of the ranks that are there
    Seconds time;                        // the longest that they state
  };
  std::map<std::uint64_t, std::deque<Joint>> joints_; // calls that wait for ranks, the first of each number first
};

// Rounds of loops in which all ranks do the same again and again, such as those of a ring. Once they have settled, the
// ranks leave out most of the others, and the clock that they see goes on by the time of these. How long the ranks take
// differs from round to round, as they run into each other; settled is what they take on average. In a recording, two
// rounds of each rank stand for the messages of those left out, and half a window for their time.
//
// Invariants:
// 1. All ranks leave out the same rounds: a jump is decided once, at the end of a window, and each rank makes it when
//    its next round begins.
// 2. A jump is by an even number of rounds, for loops that go to and fro, and leaves each rank a window of its loop.
// 3. Windows are those of the loop that the first ranks are in. A rank that has yet to make a jump ends no window.
// 4. Rounds left out take no time of the network's clock; `time_left_out` is what they would have taken.
class Rounds : public RoundObserver {
public:
  // recorder: null if nobody records.
  Rounds(const Network& network, std::size_t ranks, Recorder* recorder)
      : network_(network), recorder_(recorder), ranks_(ranks) {}

  int begins(int rank, int left) override;

  Seconds time_left_out() const { return time_left_out_; } // so far
  std::size_t messages_left_out() const { return left_out_ * ranks_.size(); }
  std::size_t left_out() const { return left_out_; } // rounds that each rank has left out

private:
  struct RankRounds {
    int loop = 0; // its number
    int done = 0; // rounds of it
    int left = 0;
    int jumps = 0;    // jumps that it has made
    int standing = 0; // rounds that stand for others, and have yet to begin or to end
    Seconds window_began;
  };
  // The time of some rounds in a row.
  struct Window {
    std::size_t ranks = 0; // ranks that are through
    Seconds sum;           // the sum of their times
  };

  void end_window(std::size_t number, Seconds time);
  bool have_settled(std::size_t last);
  void jump(Seconds time); // time: what a window takes

  const Network& network_;
  Recorder* recorder_;
  std::vector<RankRounds> ranks_;
  int loop_ = 0;                 // the loop that the first ranks are in
  std::vector<Window> windows_;  // the windows of that loop
  std::vector<Seconds> settled_; // what windows took that had settled, in all loops so far
  int jumps_ = 0;
  int jump_by_ = 0; // the last of them
  Seconds time_left_out_;
  std::size_t left_out_ = 0;
};

// A simulation in which nothing moves any more → the error: the operation in which each rank is stuck, and the sends
// that rely on buffering.
Error deadlock(const RankTable& ranks, const MessagePool& messages, const Setting& setting);

class Simulation {
public:
  // Keeps references to what the setting refers to.
  explicit Simulation(Setting setting);
  Simulation(const Simulation&) = delete; // its parts refer to each other

  // Programs may refer to their Rank until the simulation ends. Each rank must have one, once, before the run.
  Rank& rank(int id) { return ranks_[id].view; }
  void set_program(int id, Program program);

  using OperationWatch = std::function<void(int rank, const Operation& operation, std::uint32_t request)>;
  void watch_operations(OperationWatch watch) { operation_begins_ = std::move(watch); }

  // Is called once, when so many messages have ended. At least one.
  using EndsWatch = std::function<void(Seconds now)>;
  void watch_ends(std::size_t messages, EndsWatch watch) {
    watched_end_ = messages;
    ends_watch_ = std::move(watch);
  }

  // Once: runs all programs to their ends. Errors: a deadlock, with the operation in which each rank is stuck, or a
  // message without a way.
  Result<std::vector<Seconds>> run(); // when each rank ended

  Seconds duration() const; // until the last rank ended
  std::size_t stuck() const { return stuck_; }
  const std::optional<Rounds>& rounds() const { return rounds_; }
  std::size_t messages() const { return messages_.sent() + (rounds_ ? rounds_->messages_left_out() : 0); }
  std::size_t requests_at_work() const { return messages_.requests_at_work(); }
  std::size_t events() const { return events_; }
  std::size_t most_connections() const { return messages_.most_connections(); }

private:
  Seconds clock() const { return setting_.network.now() + (rounds_ ? rounds_->time_left_out() : Seconds{}); }
  void handle(Event event);
  void expect(Event event, bool is_next) const;
  void resume(int rank);
  void perform(int rank, Occasion why);
  void compute(RankState& rank, const ComputeOperation& work, Occasion why);
  bool is_wait_for_device(const ComputeOperation& work) const;
  void end(RankState& rank);

  Setting setting_;
  Agenda agenda_;
  RankTable ranks_;
  ChannelSets sets_;
  RankWork work_;
  Messages messages_;
  std::optional<Rounds> rounds_;
  OperationWatch operation_begins_;
  EndsWatch ends_watch_;
  std::size_t watched_end_ = std::numeric_limits<std::size_t>::max();
  std::size_t events_ = 0;
  std::size_t stuck_ = 0;
};

} // namespace kakehashi
