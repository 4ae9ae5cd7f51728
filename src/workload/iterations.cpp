#include "workload/iterations.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace kakehashi {
namespace {

constexpr int warm_up = 1;             // iterations that do not count
constexpr std::size_t alike_count = 3; // iterations in a row that make a steady state
constexpr double alike = 1e-6;         // relative

Seconds duration(const std::vector<Seconds>& starts, std::size_t iteration) {
  return starts[iteration + 1] - starts[iteration];
}
Seconds last_duration(const std::vector<Seconds>& starts) {
  return duration(starts, starts.size() - 2);
}

} // namespace

Iterations::Iterations(int ranks, std::vector<Bytes> sizes, std::vector<int> repetitions)
    : sizes_(std::move(sizes)), repetitions_(std::move(repetitions)), logs_(sizes_.size()) {
  for (auto& log : logs_)
    log.starts.resize(static_cast<std::size_t>(ranks));
}

bool Iterations::again(int rank, std::size_t size_index, Seconds now) {
  auto& log = logs_[size_index];
  auto& starts = log.starts[static_cast<std::size_t>(rank)];
  starts.push_back(now);
  const int done = static_cast<int>(starts.size()) - 1;
  // The first rank that gets so far decides for all.
  const bool is_first = std::all_of(log.starts.begin(), log.starts.end(), [&](const auto& other) {
    return &other == &starts || other.size() < starts.size();
  });
  if (log.last < 0 && is_first && is_steady(log)) {
    log.last = done;
    for (const auto& each : log.starts)
      log.steady.push_back(last_duration(each));
  } else if (log.last < 0 && is_first && done >= repetitions_[size_index] + warm_up) {
    log.last = done;
  }
  return log.last < 0 || done < log.last;
}

bool Iterations::is_steady(const Log& log) const {
  return std::all_of(log.starts.begin(), log.starts.end(), [](const std::vector<Seconds>& starts) {
    if (starts.size() < alike_count + 1 + warm_up)
      return false;
    const auto last = last_duration(starts);
    for (std::size_t back = 1; back < alike_count; ++back)
      if (std::abs((duration(starts, starts.size() - 2 - back) - last).value) > alike * last.value)
        return false;
    return true;
  });
}

std::vector<SizeTiming> Iterations::timings() const {
  std::vector<SizeTiming> timings;
  for (std::size_t i = 0; i < sizes_.size(); ++i) {
    SizeTiming timing{sizes_[i], repetitions_[i], std::max(0, logs_[i].last), logs_[i].steady};
    if (timing.average.empty()) // all that count were run
      for (const auto& starts : logs_[i].starts)
        timing.average.push_back((1.0 / static_cast<double>(starts.size() - 1 - warm_up)) *
                                 (starts.back() - starts[warm_up]));
    timings.push_back(std::move(timing));
  }
  return timings;
}

} // namespace kakehashi
