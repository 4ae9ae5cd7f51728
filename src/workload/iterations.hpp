// How often a benchmark repeats a size: until its iterations have become alike, or as often as the scenario states.
//
// The model has no noise, so a benchmark soon repeats itself exactly; simulating the remaining repetitions would change
// nothing; those that are left out count as the last ones do. A benchmark whose root changes in each iteration repeats
// itself after as many iterations as there are roots, so whole rounds are compared then. Where ranks do not wait for
// each other, iterations may differ for ever; they then end once their mean over the ranks is known: by two in
// a row that are alike on each rank within the tolerance, or by the means of batches of them, as is usual for
// simulations in a steady state, the first quarter left out. Where the root goes
// round, iterations are alike from node to node at best; so each of the first ones is compared with the one that has
// its root at the same place of the next node, and one cycle of roots tells the mean.
#pragma once

#include "base/units.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <tuple>
#include <vector>

namespace kakehashi {

// The ranks' measurements for one message size.
struct SizeTiming {
  Bytes size;
  int repetitions = 0;          // as the benchmark counts them
  int simulated = 0;            // of them
  double error = 0;             // of the mean, a part of it, if its knowledge ended the iterations; else 0
  std::vector<Seconds> average; // time of one iteration, for each rank
  Seconds clock_step;           // no time can be told to less, so late in the run
  static constexpr auto fields(auto& self) {
    auto& [size, repetitions, simulated, error, average, clock_step] = self;
    return std::tie(size, repetitions, simulated, error, average, clock_step);
  }
};

// Shared by the ranks of one run. All ranks do the same number of iterations of a size. On average a call costs
// the same, however many ranks there are.
class Iterations {
public:
  // cycle: iterations after which it begins anew at another node; period: after which it does so at the same one.
  // tolerance: of the mean, half of its interval of 95 % confidence, relative; 0: none. warm_up: iterations before
  // those that count. least: of those, before the mean is looked at.
  Iterations(int ranks, std::vector<Bytes> sizes, std::vector<int> repetitions, int period = 1, double tolerance = 0,
             int warm_up = 1, int least = 16, int cycle = 1);

  // Called by a rank before each iteration and once after the last; tells whether to do another one. operations: that
  // the rank has done so far. After very many of all ranks, twice the tolerance will do.
  bool again(int rank, std::size_t size_index, Seconds now, std::uint64_t operations = 0);
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
    int done = -1;                // iterations; -1 before the first call
    Seconds begin;                // of the iteration
    std::uint64_t operations = 0; // before the size began
    std::optional<Seconds> measured;
    Seconds before;                             // that the iteration before took
    Seconds counted;                            // of all iterations that count
    double squares = 0;                         // of the rounds
    Seconds round;                              // of the round so far
    std::array<Seconds, alike_rounds> rounds{}; // the last ones, the newest first
    bool steady = false;
    std::size_t looks = 0; // marks that it has come to
  };
  // After so many iterations that the mean is looked at: what the ranks have counted.
  struct Mark {
    std::vector<Seconds> counted;
    std::size_t ranks = 0;        // that are there
    std::uint64_t operations = 0; // of these, since the size began
    Seconds change;               // from the iteration before to the last one, over the ranks
    double squares = 0;           // of the ranks' changes
  };
  // The iterations that are left out take, for each rank, as long as these; and how well their mean is known.
  struct Rates {
    std::vector<Seconds> ranks;
    double error = 0;
    double spread = 0; // standard error of the ranks' own differences from the mean
  };
  struct Log {
    std::vector<RankLog> ranks; // empty before the first of them begins
    std::vector<Seconds> sums;  // of each iteration, over the ranks
    std::vector<Mark> marks;
    int furthest = 0;             // iterations that the first rank has done
    Seconds reached;              // when
    int steady = 0;               // ranks whose last rounds were alike
    std::size_t left = 0;         // ranks that know of the end
    int last = -1;                // number of iterations, once decided
    double error = 0;             // if that decided it
    std::vector<Seconds> average; // of each rank, if they were alike or their mean was known by then
  };
  int rounds_of(const RankLog& log) const { return std::max(0, log.done - warm_up_) / period_; } // that are complete
  Seconds mean_with(Seconds others, const RankLog& log, int repetitions) const;
  int again_of_cycle() const { return std::max(4, cycle_ / 4); } // iterations that are compared with those before
  int look(std::size_t number) const;
  Rates rates_of_two(const Log& log, std::size_t number) const;
  Rates rates_of_batches(const Log& log, std::size_t number) const;
  Rates rates_of_cycle(const Log& log, std::size_t number, int repetitions) const;
  void look_at(Log& log, std::size_t size_index, std::size_t number) const;
  void note(Log& log, std::size_t size_index, std::size_t rank, Seconds duration, std::uint64_t operations);
  void end(Log& log, int iterations, int repetitions);
  void record(Log& log, std::size_t size_index, std::size_t rank, Seconds duration, std::uint64_t operations);
  bool is_steady(const RankLog& mine) const;

  std::size_t ranks_;
  int period_;
  int least_;
  int cycle_;
  double tolerance_;
  int warm_up_;
  std::vector<Bytes> sizes_;
  std::vector<int> repetitions_;
  std::vector<Log> logs_;
  std::size_t ended_ = 0;
};

} // namespace kakehashi
