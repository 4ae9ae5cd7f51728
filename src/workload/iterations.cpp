#include "workload/iterations.hpp"

#include <bit>
#include <cassert>
#include <cmath>
#include <limits>

namespace kakehashi {
namespace {

constexpr double alike = 1e-6; // relative

} // namespace

Iterations::Iterations(int ranks, std::vector<Bytes> sizes, std::vector<int> repetitions, int period, double tolerance,
                       int warm_up)
    : period_(period), tolerance_(tolerance), warm_up_(warm_up), sizes_(std::move(sizes)),
      repetitions_(std::move(repetitions)), logs_(sizes_.size()) {
  assert(ranks > 0 && period > 0 && repetitions_.size() == sizes_.size());
  for (auto& log : logs_)
    log.ranks.resize(static_cast<std::size_t>(ranks));
}

bool Iterations::again(int rank, std::size_t size_index, Seconds now) {
  assert(size_index < logs_.size());
  auto& log = logs_[size_index];
  assert(log.last < 0 || log.ranks[static_cast<std::size_t>(rank)].done < log.last); // once after the last
  auto& mine = log.ranks[static_cast<std::size_t>(rank)];
  ++mine.done;
  if (mine.done > warm_up_)
    record(log, mine, mine.measured.value_or(now - mine.begin));
  mine.begin = now;
  mine.measured.reset();
  const bool is_first = mine.done > log.furthest; // it decides for all
  if (is_first)
    log.reached = now;
  log.furthest = std::max(log.furthest, mine.done);
  if (is_first && log.last < 0) {
    end(log, mine.done, repetitions_[size_index]);
  }
  const bool goes_on = log.last < 0 || mine.done < log.last;
  if (!goes_on && ++log.left == log.ranks.size())
    ++ended_;
  return goes_on;
}

int Iterations::done() const {
  return ended_ < logs_.size() ? logs_[ended_].furthest : 0;
}

int Iterations::least() const {
  if (ended_ == logs_.size())
    return 0;
  return warm_up_ + std::min(repetitions_[ended_], steady_rounds() * period_);
}

// After so many iterations of the first rank, if all that matters is known by now.
void Iterations::end(Log& log, int iterations, int repetitions) {
  const auto ranks = static_cast<int>(log.ranks.size());
  const bool is_steady = log.steady == ranks;
  const bool has_settled = log.settled == ranks;
  const auto error = is_steady || has_settled ? std::nullopt : small_error(log);
  if (is_steady || has_settled || error) {
    log.last = iterations;
    log.error = error.value_or(0);
    for (const auto& each : log.ranks) {
      const auto others = is_steady ? each.rounds.front() : has_settled ? each.last_window : mean_round(each);
      log.average.push_back(mean_with((1.0 / period_) * others, each, repetitions));
    }
  } else if (iterations >= repetitions + warm_up_) {
    log.last = iterations;
  }
}

// The mean of the rounds that were counted and of all other iterations, which take that long each.
Seconds Iterations::mean_with(Seconds others, const RankLog& log, int repetitions) const {
  const int counted = rounds_of(log) * period_;
  const auto time = log.counted - log.round;
  return others + (1.0 / std::max(repetitions, counted)) * (time - static_cast<double>(counted) * others);
}

void Iterations::pause(int rank, std::size_t size_index, Seconds now) {
  auto& mine = logs_[size_index].ranks[static_cast<std::size_t>(rank)];
  mine.measured = now - mine.begin;
}

int Iterations::number(int rank, std::size_t size_index) const {
  return logs_[size_index].ranks[static_cast<std::size_t>(rank)].done - warm_up_;
}

void Iterations::record(Log& log, RankLog& mine, Seconds duration) {
  mine.counted += duration;
  mine.round += duration;
  if ((mine.done - warm_up_) % period_ != 0)
    return;
  std::rotate(mine.rounds.begin(), mine.rounds.end() - 1, mine.rounds.end());
  mine.rounds.front() = mine.round;
  mine.squares += mine.round.value * mine.round.value;
  mine.round = {};
  log.steady -= mine.steady;
  mine.steady = is_steady(mine);
  log.steady += mine.steady;
  log.settled -= mine.settled;
  mine.settled = settles(mine);
  log.settled += mine.settled;
}

// Looks at the mean whenever the number of rounds has doubled, and holds to what it found until then.
bool Iterations::settles(RankLog& mine) const {
  const auto rounds = static_cast<unsigned>((mine.done - warm_up_) / period_);
  if (tolerance_ <= 0 || !std::has_single_bit(rounds))
    return mine.settled;
  const auto window = (1.0 / std::max(1U, rounds / 2)) * (mine.counted - mine.before);
  const bool is_close = std::abs((window - mine.last_window).value) <= tolerance_ * window.value;
  if (rounds >= 2 && mine.counted.value > 0) {
    const double mean = mine.counted.value / rounds;
    mine.variance = std::max(0.0, mine.squares / (mean * mean) - rounds) / (rounds - 1.0) / rounds;
    mine.trend = 2 * (window.value / mean - 1);
  }
  ++mine.looks;
  mine.before = mine.counted;
  mine.last_window = window;
  return rounds >= 8 && is_close;
}

// The standard error of the ranks' means, if that is so small that the means are known.
std::optional<double> Iterations::small_error(const Log& log) const {
  constexpr int looks = 5; // at 1, 2, 4, 8 and 16 rounds
  const double small = 2 * tolerance_;
  double variance = 0;
  double trend = 0;
  for (const auto& each : log.ranks) {
    if (each.looks < looks)
      return std::nullopt;
    variance += each.variance / static_cast<double>(log.ranks.size());
    trend += each.trend / static_cast<double>(log.ranks.size());
  }
  // Halves of n rounds that are chosen by chance differ by twice the standard error of the whole.
  if (variance > small * small || std::abs(trend) > 2 * small)
    return std::nullopt;
  return std::sqrt(variance);
}

bool Iterations::is_steady(const RankLog& mine) const {
  const int needed = steady_rounds();
  if (mine.done - warm_up_ < needed * period_)
    return false;
  const auto last = mine.rounds.front();
  return std::all_of(mine.rounds.begin() + 1, mine.rounds.begin() + needed,
                     [&](Seconds round) { return std::abs((round - last).value) <= alike * last.value; });
}

std::vector<SizeTiming> Iterations::timings() const {
  std::vector<SizeTiming> timings;
  for (std::size_t i = 0; i < ended_; ++i) {
    const auto clock_step = std::numeric_limits<double>::epsilon() * logs_[i].reached;
    SizeTiming timing{sizes_[i],      repetitions_[i],  std::max(0, logs_[i].last),
                      logs_[i].error, logs_[i].average, clock_step};
    if (timing.average.empty()) // all that count were run
      for (const auto& each : logs_[i].ranks)
        timing.average.push_back((1.0 / (each.done - warm_up_)) * each.counted);
    timings.push_back(std::move(timing));
  }
  return timings;
}

} // namespace kakehashi
