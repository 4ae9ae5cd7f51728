#include "engine/flow/level_queue.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace kakehashi {
namespace {

struct Higher { // a type, so that sorting inlines it
  bool operator()(const LevelQueue::Entry& a, const LevelQueue::Entry& b) const { return a.level > b.level; }
};

} // namespace

// From 1 on. The bits of a positive number rise with it; its exponent and six bits more are its bin.
std::size_t LevelQueue::bin_of(double level) {
  constexpr auto first = std::bit_cast<std::int64_t>(1.0) >> 46;
  const auto bin = (std::bit_cast<std::int64_t>(level) >> 46) - first;
  return static_cast<std::size_t>(std::clamp<std::int64_t>(bin, 0, 64 * octaves - 1));
}

void LevelQueue::push(double level, std::uint32_t id) {
  assert(level > 0);
  if (size_++ == 0) {
    bin_ = 0;
    last_octave_ = 0;
    nodes_.clear();
  }
  const auto bin = bin_of(level);
  if (bin <= bin_ && !lowest_.empty()) {
    const Entry entry{level, id};
    lowest_.insert(std::upper_bound(lowest_.begin(), lowest_.end(), entry, Higher{}), entry);
    return;
  }
  nodes_.push_back({{level, id}, first_[bin]});
  first_[bin] = static_cast<std::uint32_t>(nodes_.size() - 1);
  occupied_[bin / 64] |= std::uint64_t{1} << bin % 64;
  last_octave_ = std::max(last_octave_, bin / 64);
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
