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
#pragma once

#include "engine/flow/network.hpp"
#include "engine/record/recorder.hpp"
#include "workload/program.hpp"

#include <optional>
#include <vector>

namespace kakehashi {

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

} // namespace kakehashi
