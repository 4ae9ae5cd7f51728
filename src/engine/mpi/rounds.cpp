#include "engine/mpi/simulation.hpp"

#include <algorithm>
#include <span>

namespace kakehashi {
namespace {

constexpr int window_rounds = 64; // even, for loops that go to and fro
constexpr std::size_t alike_windows = 4;
constexpr double alike = 2e-3;     // their times, relative
constexpr int standing_rounds = 2; // rounds that stand for those left out, with each of two neighbours

} // namespace

int Rounds::begins(int id, int left) {
  auto& rank = ranks_[static_cast<std::size_t>(id)];
  const auto now = network_.now();
  if (rank.loop == 0 || rank.left == 0) { // the last round of a loop is never left out
    ++rank.loop;
    rank.done = -1;
    rank.window_began = now;
    rank.jumps = jumps_;
  }
  rank.left = left;
  ++rank.done;
  if (rank.loop > loop_) {
    loop_ = rank.loop;
    windows_.clear();
  }
  if (rank.loop == loop_ && rank.done > 0 && rank.done % window_rounds == 0 && rank.jumps == jumps_) {
    end_window(static_cast<std::size_t>(rank.done / window_rounds - 1), now - rank.window_began);
    rank.window_began = now;
  }
  if (rank.standing > 0 && --rank.standing == 0)
    recorder_->stands_for(id, 1);
  if (rank.jumps == jumps_)
    return 0;
  rank.jumps = jumps_;
  rank.left -= jump_by_;
  if (recorder_) {
    rank.standing = standing_rounds;
    recorder_->stands_for(id, static_cast<std::uint32_t>(1 + jump_by_ / standing_rounds));
  }
  return jump_by_;
}

void Rounds::end_window(std::size_t number, Seconds time) {
  if (windows_.size() <= number)
    windows_.emplace_back();
  auto& window = windows_[number];
  window.sum += time;
  if (++window.ranks == ranks_.size() && have_settled(number))
    jump((1 / static_cast<double>(window.ranks)) * window.sum);
}

// After a window in which the ranks come into step: several windows took as long, or two as those of an earlier loop.
bool Rounds::have_settled(std::size_t last) {
  const auto are_alike = [&](std::size_t number, std::optional<Seconds> other) {
    if (last < number)
      return false;
    const auto recent = std::span(windows_).subspan(last + 1 - number, number);
    auto [least, most] = std::ranges::minmax(recent, {}, &Window::sum);
    const auto low = std::min(least.sum, other.value_or(least.sum));
    const auto high = std::max(most.sum, other.value_or(most.sum));
    return (high - low).value <= alike * high.value;
  };
  if (are_alike(alike_windows, {})) {
    settled_.push_back(windows_[last].sum);
    return true;
  }
  return std::ranges::any_of(settled_, [&](Seconds known) { return are_alike(2, known); });
}

void Rounds::jump(Seconds time) {
  int by = ranks_.front().left;
  for (const auto& rank : ranks_)
    by = std::min(by, rank.loop == loop_ ? rank.left : 0);
  by = (by - window_rounds) / standing_rounds * standing_rounds; // the last ones are simulated
  if (by <= 0)
    return;
  ++jumps_;
  jump_by_ = by;
  left_out_ += static_cast<std::size_t>(by);
  const auto left_out = (static_cast<double>(by) / window_rounds) * time;
  time_left_out_ += left_out;
  if (!recorder_ || left_out.value <= 0)
    return;
  // All ranks do the same in the next half window, and no rank is through before its end.
  const int times = (2 * by + window_rounds - 1) / window_rounds;
  const auto from = network_.now() + 0.25 * time;
  recorder_->stretch(from, from + (1.0 / times) * left_out, static_cast<std::uint32_t>(1 + times));
}

} // namespace kakehashi
