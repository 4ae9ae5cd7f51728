// Numbers of things and the levels that they wait for → the one of the lowest level, while levels only rise.
//
// Bins of about one percent each, of which only the lowest is kept in order: an operation costs the same however many
// wait.
//
// Invariants:
// 1. No level is pushed that is below the last popped one.
// 2. Unless it is empty, `lowest_` holds all entries of the bins up to `bin_`, the highest first; all others are nodes
//    in the lists of their bins.
// 3. A bit of `occupied_` is set where the bin has nodes; no octave behind `last_octave_` has any.
// 4. Nodes are not used again until the queue is empty, and then all are.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace kakehashi {

class LevelQueue {
public:
  struct Entry {
    double level; // positive
    std::uint32_t id;
  };

  LevelQueue() { first_.fill(none); }

  bool empty() const { return size_ == 0; }
  // No level may be below the last that was popped.
  void push(double level, std::uint32_t id) {
    assert(level > 0);
    if (size_++ == 0)
      begin();
    const auto bin = bin_of(level);
    if (bin <= bin_ && !lowest_.empty())
      return insert({level, id});
    nodes_.push_back({{level, id}, first_[bin]});
    first_[bin] = static_cast<std::uint32_t>(nodes_.size() - 1);
    occupied_[bin / 64] |= std::uint64_t{1} << bin % 64;
    last_octave_ = std::max(last_octave_, bin / 64);
  }
  double least() { // there must be one
    assert(!empty());
    if (lowest_.empty())
      open_bin();
    return lowest_.back().level;
  }
  Entry pop(); // likewise
  void clear();

private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  static constexpr std::size_t octaves = 64; // octaves have 64 bins each

  struct Node {
    Entry entry;
    std::uint32_t next;
  };
  // From 1 on. The bits of a positive number rise with it; its exponent and six bits more are its bin.
  static std::size_t bin_of(double level) {
    constexpr auto first = std::bit_cast<std::int64_t>(1.0) >> 46;
    const auto bin = (std::bit_cast<std::int64_t>(level) >> 46) - first;
    return static_cast<std::size_t>(std::clamp<std::int64_t>(bin, 0, 64 * octaves - 1));
  }
  void begin() {
    bin_ = 0;
    last_octave_ = 0;
    nodes_.clear();
  }
  void insert(const Entry& entry); // into the lowest bin
  void open_bin();

  std::size_t size_ = 0;
  std::size_t bin_ = 0;                           // the lowest
  std::size_t last_octave_ = 0;                   // the last with entries since the queue was empty
  std::vector<Entry> lowest_;                     // what it holds, the highest first
  std::vector<Node> nodes_;                       // entries of the other bins
  std::array<std::uint32_t, 64 * octaves> first_; // node of each bin
  std::array<std::uint64_t, octaves> occupied_{}; // a bit for each bin that has nodes
};

} // namespace kakehashi
