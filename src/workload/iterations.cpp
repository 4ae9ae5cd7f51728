#include "workload/iterations.hpp"

#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

namespace kakehashi {
namespace {

constexpr double alike = 1e-6;                // relative difference
constexpr std::uint64_t very_many = 16000000; // operations, which take at least ten seconds

double mean_of(std::span<const double> numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0) / static_cast<double>(numbers.size());
}

// Returns half of the 95 % confidence interval of the mean of at least two numbers.
double half_width(std::span<const double> numbers) {
  constexpr std::array t{12.71, 4.30, 3.18, 2.78, 2.57, 2.45,
                         2.36,  2.31, 2.26, 2.23, 2.20}; // Student's t for 1, 2, 3 … degrees of freedom
  const auto mean = mean_of(numbers);
  double squares = 0;
  for (const auto number : numbers)
    squares += (number - mean) * (number - mean);
  const auto freedom = numbers.size() - 1;
  return t[std::min(t.size(), freedom) - 1] *
         std::sqrt(squares / static_cast<double>(freedom) / static_cast<double>(numbers.size()));
}

} // namespace

Iterations::Iterations(int ranks, std::vector<Bytes> sizes, std::vector<int> repetitions, int period, double tolerance,
                       int warm_up, int least, int cycle)
    : ranks_(static_cast<std::size_t>(ranks)), period_(period), least_(least), cycle_(cycle), tolerance_(tolerance),
      warm_up_(warm_up), sizes_(std::move(sizes)), repetitions_(std::move(repetitions)), logs_(sizes_.size()) {
  assert(ranks > 0 && period > 0 && cycle > 0 && repetitions_.size() == sizes_.size());
}

bool Iterations::again(int rank, std::size_t size_index, Seconds now, std::uint64_t operations) {
  assert(size_index < logs_.size());
  auto& log = logs_[size_index];
  if (log.ranks.empty())
    log.ranks.resize(ranks_);
  // Called once after the last iteration.
  assert(log.last < 0 || log.ranks[static_cast<std::size_t>(rank)].done < log.last);
  auto& mine = log.ranks[static_cast<std::size_t>(rank)];
  ++mine.done;
  if (mine.done == 0)
    mine.operations = operations;
  if (mine.done > 0) {
    const auto duration = mine.measured.value_or(now - mine.begin);
    if (mine.done > warm_up_)
      record(log, size_index, static_cast<std::size_t>(rank), duration, operations);
    mine.before = duration;
  }
  mine.begin = now;
  mine.measured.reset();
  const bool is_first = mine.done > log.furthest; // the foremost rank decides for all
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
  const int steady = steady_rounds() * period_;
  const int known = std::max(least_, look(0));
  return warm_up_ + std::min(repetitions_[ended_], period_ > 1 && tolerance_ > 0 ? std::min(steady, known) : steady);
}

// Called when the foremost rank has done `iterations`: ends the size if everything needed is known.
void Iterations::end(Log& log, int iterations, int repetitions) {
  if (!log.average.empty()) { // the mean is known
    log.last = iterations;
  } else if (log.steady == static_cast<int>(log.ranks.size())) {
    log.last = iterations;
    for (const auto& each : log.ranks)
      log.average.push_back(mean_with((1.0 / period_) * each.rounds.front(), each, repetitions));
  } else if (iterations >= repetitions + warm_up_) {
    log.last = iterations;
  }
  if (log.last >= 0) {
    log.sums = {};
    log.marks = {};
  }
}

// Returns the mean over the counted rounds and over all other iterations, which take `others` each.
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
  const auto& ranks = logs_[size_index].ranks;
  return (ranks.empty() ? RankLog{} : ranks[static_cast<std::size_t>(rank)]).done - warm_up_;
}

void Iterations::record(Log& log, std::size_t size_index, std::size_t rank, Seconds duration,
                        std::uint64_t operations) {
  auto& mine = log.ranks[rank];
  mine.counted += duration;
  mine.round += duration;
  if (tolerance_ > 0 && log.last < 0 && log.average.empty())
    note(log, size_index, rank, duration, operations);
  if ((mine.done - warm_up_) % period_ != 0)
    return;
  std::rotate(mine.rounds.begin(), mine.rounds.end() - 1, mine.rounds.end());
  mine.rounds.front() = mine.round;
  mine.round = {};
  log.steady -= mine.steady;
  mine.steady = is_steady(mine);
  log.steady += mine.steady;
}

// Returns the numbers of iterations after which the mean is judged: 1, 1, 2, 3, 4, 6, 8, 12, 16 …. With a cycle of
// roots, a cycle and the first iterations of another one are added.
int Iterations::look(std::size_t number) const {
  const int first = ((number % 2 == 0 ? 2 : 3) << (number / 2)) / 2;
  return cycle_ == 1 ? first : first + cycle_ + again_of_cycle();
}

void Iterations::note(Log& log, std::size_t size_index, std::size_t rank, Seconds duration, std::uint64_t operations) {
  const auto& mine = log.ranks[rank];
  const auto done = static_cast<std::size_t>(mine.done - warm_up_);
  if (log.sums.size() < done)
    log.sums.emplace_back();
  log.sums[done - 1] += duration;
  for (; look(mine.looks) == mine.done - warm_up_; ++log.ranks[rank].looks) {
    if (log.marks.size() == mine.looks)
      log.marks.push_back({std::vector<Seconds>(log.ranks.size())});
    auto& mark = log.marks[mine.looks];
    mark.counted[rank] = mine.counted;
    mark.operations += operations - mine.operations;
    if (mine.done > 1) {
      const auto change = duration - mine.before;
      mark.change += change;
      mark.squares += change.value * change.value;
    }
    if (++mark.ranks == log.ranks.size())
      look_at(log, size_index, mine.looks);
  }
}

// Judges whether the mean is known; called when all ranks have reached this mark.
void Iterations::look_at(Log& log, std::size_t size_index, std::size_t number) const {
  const int iterations = look(number);
  const int others = repetitions_[size_index] - iterations;
  if (others <= 0 || iterations < least_)
    return;
  const auto rates = cycle_ > 1       ? rates_of_cycle(log, number, repetitions_[size_index])
                     : iterations < 4 ? rates_of_two(log, number)
                                      : rates_of_batches(log, number);
  const double share = static_cast<double>(others) / repetitions_[size_index];
  const double error = share * rates.error;
  const double tolerance = log.marks[number].operations > very_many ? 2 * tolerance_ : tolerance_;
  if (!(error <= tolerance && share * rates.spread <= tolerance)) // also true if one of them is no number
    return;
  log.error = error;
  for (std::size_t rank = 0; rank < log.ranks.size(); ++rank)
    log.average.push_back((1.0 / repetitions_[size_index]) *
                          (log.marks[number].counted[rank] + static_cast<double>(others) * rates.ranks[rank]));
}

// Two iterations in a row, of which the first may be a warm-up, must be alike on average and on each rank.
Iterations::Rates Iterations::rates_of_two(const Log& log, std::size_t number) const {
  const auto& mark = log.marks[number];
  const auto ranks = static_cast<double>(log.ranks.size());
  const int last = look(number);
  const double mean = log.sums[static_cast<std::size_t>(last - 1)].value / ranks;
  if (last + warm_up_ < 2)
    return {{}, 1};
  const double before = mean - mark.change.value / ranks;
  Rates rates{{}, std::max(half_width(std::array{mean, before}), std::sqrt(mark.squares / ranks)) / mean};
  for (const auto counted : mark.counted)
    rates.ranks.push_back((1.0 / last) * counted);
  return rates;
}

// The mean is that of the last three quarters of the iterations. Each rank differs from it as it did in the second
// quarter and in the second half, scaled by how well these two agree.
Iterations::Rates Iterations::rates_of_batches(const Log& log, std::size_t number) const {
  constexpr int most = 8; // number of batches, about
  const auto ranks = static_cast<double>(log.ranks.size());
  const int last = look(number);
  const int first = look(number - 4);
  const int half = look(number - 2);
  const int length = std::max(1, (last - first) / most);
  std::vector<double> batches;
  for (int end = last; end - length >= first; end -= length)
    batches.push_back(std::accumulate(log.sums.begin() + end - length, log.sums.begin() + end, Seconds{}).value /
                      (length * ranks));
  const double mean = mean_of(batches);
  const auto halves = batches.size() / 2;
  const double trend = std::abs(mean_of(std::span(batches).first(halves)) - mean_of(std::span(batches).last(halves)));
  const auto time = [&](std::size_t rank, std::size_t from, std::size_t to) {
    return (log.marks[to].counted[rank] - log.marks[from].counted[rank]).value;
  };
  std::array<double, 2> means{};
  for (std::size_t rank = 0; rank < log.ranks.size(); ++rank) {
    means[0] += time(rank, number - 4, number - 2) / (half - first) / ranks;
    means[1] += time(rank, number - 2, number) / (last - half) / ranks;
  }
  double common = 0;
  double squares = 0;
  for (std::size_t rank = 0; rank < log.ranks.size(); ++rank) {
    const double one = time(rank, number - 4, number - 2) / (half - first) - means[0];
    const double other = time(rank, number - 2, number) / (last - half) - means[1];
    common += one * other / ranks;
    squares += (one * one + other * other) / ranks;
  }
  common = std::clamp(common, 0.0, squares / 2);
  // One mean is over n / 4 iterations, the other over n / 2, so this is the variance of the mean over all three
  // quarters.
  const double chance = (squares - 2 * common) * 2 / 9;
  const double kept = common > 0 ? std::sqrt(common / (common + chance)) : 0;
  Rates rates{{}, std::max(half_width(batches), trend) / mean, kept * std::sqrt(chance) / mean};
  for (std::size_t rank = 0; rank < log.ranks.size(); ++rank)
    rates.ranks.push_back(Seconds{mean + kept * (time(rank, number - 4, number) / (last - first) - mean)});
  return rates;
}

// An iteration left out takes as long as the one with its root at the same place in the cycles of the last three
// quarters, or in the last cycle. The error is how much the last iterations differ from those one cycle before.
Iterations::Rates Iterations::rates_of_cycle(const Log& log, std::size_t number, int repetitions) const {
  const int last = look(number);
  const auto ranks = static_cast<double>(log.ranks.size());
  const auto mean_at = [&](int iteration) { return log.sums[static_cast<std::size_t>(iteration)].value / ranks; };
  std::vector<double> changes;
  for (int i = last - again_of_cycle(); i < last; ++i)
    changes.push_back(mean_at(i) - mean_at(i - cycle_));
  const int cycles = cycle_ * std::max(1, (last - last / 4) / cycle_);
  double mean = 0;
  for (int i = last; i < repetitions; ++i)
    mean += mean_at(last - cycles + (i - last) % cycles) / (repetitions - last);
  return {std::vector<Seconds>(log.ranks.size(), Seconds{mean}),
          (std::abs(mean_of(changes)) + half_width(changes)) / mean};
}

bool Iterations::is_steady(const RankLog& mine) const {
  const int needed = steady_rounds();
  if (mine.done - warm_up_ < needed * period_)
    return false;
  const auto last = mine.rounds.front();
  return std::all_of(mine.rounds.begin() + 1, mine.rounds.begin() + needed,
                     [&](Seconds round) { return std::abs((round - last).value) <= alike * last.value; });
}

Seconds Iterations::mean(int rank, std::size_t size_index) const {
  const auto& log = logs_[size_index];
  const auto index = static_cast<std::size_t>(rank);
  if (!log.average.empty())
    return log.average[index];
  const auto& mine = log.ranks[index]; // all iterations that count were run
  return (1.0 / (mine.done - warm_up_)) * mine.counted;
}

std::vector<SizeTiming> Iterations::timings() const {
  std::vector<SizeTiming> timings;
  for (std::size_t i = 0; i < ended_; ++i) {
    const auto clock_step = std::numeric_limits<double>::epsilon() * logs_[i].reached;
    SizeTiming timing{sizes_[i],      repetitions_[i],  std::clamp(logs_[i].last - warm_up_, 0, repetitions_[i]),
                      logs_[i].error, logs_[i].average, clock_step};
    if (timing.average.empty())
      for (std::size_t rank = 0; rank < ranks_; ++rank)
        timing.average.push_back(mean(static_cast<int>(rank), i));
    timings.push_back(std::move(timing));
  }
  return timings;
}

} // namespace kakehashi
