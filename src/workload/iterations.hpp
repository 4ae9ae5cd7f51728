// How often a benchmark repeats a size: until its iterations have become alike, or as often as the scenario states.
//
// The model has no noise, so a benchmark soon repeats itself exactly; simulating the remaining repetitions would change
// nothing; those that are left out count as the last ones do. A benchmark whose root changes in each iteration repeats
// itself after as many iterations as there are roots, so whole rounds are compared then. Where ranks do not wait for
// each other, iterations may differ for ever; a tolerance then lets them end once the mean of 2, 4, 8 … rounds is that
// of half as many before, or once 16, 32 … rounds tell the mean to twice the tolerance: its standard error is that
// small, and the second half of them took as long as the first.
#pragma once

#include "base/units.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace kakehashi {

// The ranks' measurements for one message size.
struct SizeTiming {
  Bytes size;
  int repetitions = 0;          // as the benchmark counts them
  int simulated = 0;            // as were run
  double error = 0;             // standard error of a rank's mean, a part of it, if that ended the iterations; else 0
  std::vector<Seconds> average; // time of one iteration, for each rank
  Seconds clock_step;           // no time can be told to less, so late in the run
};

// Shared by the ranks of one run. All ranks do the same number of iterations of a size. On average a call costs
// the same, however many ranks there are.
class Iterations {
public:
  // period: iterations after which a benchmark begins anew. tolerance: of the mean, relative; 0: none. warm_up:
  // iterations before those that count.
  Iterations(int ranks, std::vector<Bytes> sizes, std::vector<int> repetitions, int period = 1, double tolerance = 0,
             int warm_up = 1);

  // Called by a rank before each iteration and once after the last; tells whether to do another one.
  bool again(int rank, std::size_t size_index, Seconds now);
  // May be called between: what the rank does from now to its next call of again is not measured.
  void pause(int rank, std::size_t size_index, Seconds now);

  // The number of the iteration that comes next: from 0 on, and below 0 for those that do not count.
  int number(int rank, std::size_t size_index) const;

  // Of the sizes that all ranks have ended.
  std::vector<SizeTiming> timings() const;

  std::size_t ended() const { return ended_; } // sizes
  std::size_t sizes() const { return sizes_.size(); }
  // Of the size after these: what the first rank has done of the iterations that it takes at least.
  int done() const;
  int least() const;

private:
  static constexpr std::size_t alike_rounds = 3; // in a row make a steady state; two do if a round is more than one
  int steady_rounds() const { return period_ == 1 ? static_cast<int>(alike_rounds) : 2; }

  struct RankLog {
    int done = -1; // iterations; -1 before the first call
    Seconds begin; // of the iteration
    std::optional<Seconds> measured;
    Seconds counted;                            // of all iterations that count
    double squares = 0;                         // of the rounds
    Seconds round;                              // of the round so far
    std::array<Seconds, alike_rounds> rounds{}; // the last ones, the newest first
    bool steady = false;
    Seconds before;      // counted before the last 1, 2, 4 … rounds
    Seconds last_window; // mean of a round in the window before
    bool settled = false;
    int looks = 0;       // at the mean, so far
    double variance = 0; // of the mean, relative to its square, at the last look
    double trend = 0;    // from the first half of the rounds to the second, relative to the mean, likewise
  };
  struct Log {
    std::vector<RankLog> ranks;
    int furthest = 0;             // iterations that the first rank has done
    Seconds reached;              // when
    int steady = 0;               // ranks whose last rounds were alike
    int settled = 0;              // ranks whose mean is within the tolerance
    std::size_t left = 0;         // ranks that know of the end
    int last = -1;                // number of iterations, once decided
    double error = 0;             // if that decided it
    std::vector<Seconds> average; // of each rank, if they were alike or had settled by then
  };
  int rounds_of(const RankLog& log) const { return std::max(0, log.done - warm_up_) / period_; } // that are complete
  Seconds mean_round(const RankLog& log) const { return (1.0 / rounds_of(log)) * (log.counted - log.round); }
  Seconds mean_with(Seconds others, const RankLog& log, int repetitions) const;
  bool settles(RankLog& mine) const;
  std::optional<double> small_error(const Log& log) const;
  void end(Log& log, int iterations, int repetitions);
  void record(Log& log, RankLog& mine, Seconds duration);
  bool is_steady(const RankLog& mine) const;

  int period_;
  double tolerance_;
  int warm_up_;
  std::vector<Bytes> sizes_;
  std::vector<int> repetitions_;
  std::vector<Log> logs_;
  std::size_t ended_ = 0;
};

} // namespace kakehashi
