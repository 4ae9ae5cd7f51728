#include "engine/flow/level_queue.hpp"

#include <algorithm>
#include <cassert>

namespace kakehashi {
namespace {

struct Higher { // a type, so that sorting inlines it
  bool operator()(const LevelQueue::Entry& a, const LevelQueue::Entry& b) const { return a.level > b.level; }
};

} // namespace

void LevelQueue::insert(const Entry& entry) {
  lowest_.insert(std::upper_bound(lowest_.begin(), lowest_.end(), entry, Higher{}), entry);
}

void LevelQueue::open_bin() {
  auto octave = bin_ / 64;
  while (occupied_[octave] == 0)
    ++octave;
  bin_ = 64 * octave + static_cast<std::size_t>(std::countr_zero(occupied_[octave]));
  for (auto node = first_[bin_]; node != none; node = nodes_[node].next)
    lowest_.push_back(nodes_[node].entry);
  first_[bin_] = none;
  occupied_[octave] &= occupied_[octave] - 1;
  if (!std::is_sorted(lowest_.begin(), lowest_.end(), Higher{})) // often they are all the same
    std::sort(lowest_.begin(), lowest_.end(), Higher{});
}

LevelQueue::Entry LevelQueue::pop() {
  assert(!empty());
  if (lowest_.empty())
    open_bin();
  --size_;
  const auto entry = lowest_.back();
  lowest_.pop_back();
  return entry;
}

void LevelQueue::clear() {
  for (auto octave = bin_ / 64; octave <= last_octave_; ++octave)
    for (; occupied_[octave] != 0; occupied_[octave] &= occupied_[octave] - 1)
      first_[64 * octave + static_cast<std::size_t>(std::countr_zero(occupied_[octave]))] = none;
  lowest_.clear();
  size_ = 0;
}

} // namespace kakehashi
