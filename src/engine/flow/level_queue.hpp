// Numbers of things and the levels that they wait for → the one of the lowest level, while levels only rise.
//
// Bins of about one percent each, of which only the lowest is kept in order: an operation costs the same however many
// wait.
#pragma once

#include <array>
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
  void push(double level, std::uint32_t id);
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
  static constexpr std::size_t octaves = 64; // of 64 bins each

  struct Node {
    Entry entry;
    std::uint32_t next;
  };
  static std::size_t bin_of(double level);
  void open_bin();

  std::size_t size_ = 0;
  std::size_t bin_ = 0;                           // the lowest
  std::size_t last_octave_ = 0;                   // that has had entries since the queue was empty
  std::vector<Entry> lowest_;                     // what it holds, the highest first
  std::vector<Node> nodes_;                       // of the other bins
  std::array<std::uint32_t, 64 * octaves> first_; // node of each bin
  std::array<std::uint64_t, octaves> occupied_{}; // a bit for each bin that has nodes
};

} // namespace kakehashi
