// How often a benchmark repeats a size: until its iterations have become alike, or as often as the scenario states.
//
// The model has no noise, so a benchmark soon repeats itself exactly. Simulating the remaining repetitions would change
// nothing, so they are left out and count as the last ones do. A benchmark whose root changes in each iteration repeats
// itself after as many iterations as there are roots; then whole rounds are compared.
//
// If ranks do not wait for each other, iterations may differ for ever. They end once the mean over the ranks is known:
// from two iterations in a row that are alike on each rank within the tolerance; or from means of batches of them
// without the first quarter, as is usual for simulations in a steady state. If the root changes, iterations are at best
// alike from node to node: each of the first ones is compared with the iteration whose root has the same place on the
// next node, and one cycle of roots gives the mean.
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
  int repetitions = 0;          // as the benchmark counts
  int simulated = 0;            // the number of them that was simulated
  double error = 0;             // relative error of the mean, if knowing the mean ended the iterations; else 0
  std::vector<Seconds> average; // each rank's mean time of an iteration
  Seconds clock_step;           // the smallest difference of times that the clock can show so late in the run
  static constexpr auto fields(auto& self) {
    auto& [size, repetitions, simulated, error, average, clock_step] = self;
    return std::tie(size, repetitions, simulated, error, average, clock_step);
  }
};

// The ranks of one run share it. All ranks do the same number of iterations of a size. The mean cost of a call does not
// depend on the number of ranks.
class Iterations {
public:
  // `cycle`: the number of iterations until the benchmark is at the same place of another node; `period`: until it is
  // at the same place of the same node. `tolerance`: for the mean, as half of its relative 95 % confidence interval; 0:
  // only exact repetition counts. `warm_up`: iterations before those that count. `least`: iterations that count before
  // the mean is judged.
  Iterations(int ranks, std::vector<Bytes> sizes, std::vector<int> repetitions, int period = 1, double tolerance = 0,
             int warm_up = 1, int least = 16, int cycle = 1);

  // A rank calls it before each iteration and once after the last; it returns whether the rank shall do another one.
  // `operations` is the number of the rank's operations so far; if all ranks together have very many, twice the
  // tolerance suffices.
  bool again(int rank, std::size_t size_index, Seconds now, std::uint64_t operations = 0);
  // A rank may call it during an iteration: its actions from `now` to its next call of again() are not measured.
  void pause(int rank, std::size_t size_index, Seconds now);

  // The number of the next iteration: from 0; iterations that do not count have negative numbers.
  int number(int rank, std::size_t size_index) const;

  // The mean time of a rank's iterations of a size that all ranks have ended.
  Seconds mean(int rank, std::size_t size_index) const;

  // The timings of the sizes that all ranks have ended.
  std::vector<SizeTiming> timings() const;

  std::size_t ended() const { return ended_; } // number of sizes that have ended
  std::size_t sizes() const { return sizes_.size(); }
  // For the next size: the iterations that the foremost rank has done, and how many there are at least.
  int done() const;
  int least() const;

private:
  // Equal rounds in a row that make a steady state; two suffice if a round has several iterations.
  static constexpr std::size_t alike_rounds = 3;
  int steady_rounds() const { return period_ == 1 ? static_cast<int>(alike_rounds) : 2; }

  struct RankLog {
    int done = -1;                // number of iterations; -1 before the first call
    Seconds begin;                // start of the iteration
    std::uint64_t operations = 0; // before the size began
    std::optional<Seconds> measured;
    Seconds before;                             // time of the previous iteration
    Seconds counted;                            // time of all iterations that count
    double squares = 0;                         // the sum of the rounds' squares
    Seconds round;                              // time of the current round so far
    std::array<Seconds, alike_rounds> rounds{}; // times of the last rounds, newest first
    bool steady = false;
    std::size_t looks = 0; // number of marks that the rank has reached
  };
  // A number of iterations after which the mean is judged, with the ranks' times up to there.
  struct Mark {
    std::vector<Seconds> counted;
    std::size_t ranks = 0;        // number of ranks that have reached it
    std::uint64_t operations = 0; // number of operations of these ranks since the size began
    Seconds change{};             // from the previous iteration to the last one, summed over the ranks
    double squares = 0;           // sum of the squares of the ranks' changes
  };
  // For each rank, the time that the iterations left out take on average; and how well the mean is known.
  struct Rates {
    std::vector<Seconds> ranks;
    double error = 0;
    double spread = 0; // standard error of the differences between the ranks' own means and the common mean
  };
  struct Log {
    std::vector<RankLog> ranks; // empty until the first rank begins the size
    std::vector<Seconds> sums;  // sums of each iteration, over the ranks
    std::vector<Mark> marks;
    int furthest = 0;             // number of iterations of the foremost rank
    Seconds reached;              // when that rank got there
    int steady = 0;               // number of ranks whose last rounds were alike
    std::size_t left = 0;         // number of ranks that know of the end
    int last = -1;                // number of iterations, once it is decided; else -1
    double error = 0;             // the mean's error, if it decided the end
    std::vector<Seconds> average; // each rank's average, once its iterations were alike or the mean was known
  };
  int rounds_of(const RankLog& log) const { return std::max(0, log.done - warm_up_) / period_; } // complete ones
  Seconds mean_with(Seconds others, const RankLog& log, int repetitions) const;
  // Iterations that are compared with those one cycle before.
  int again_of_cycle() const { return std::max(4, cycle_ / 4); }
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
