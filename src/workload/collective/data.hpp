// The bytes of a collective operation's vector that a message carries. The engine needs only their number; a test
// follows each byte.
#pragma once

#include "base/units.hpp"

#include <algorithm>
#include <cassert>
#include <span>
#include <vector>

namespace kakehashi {

// The bytes at `from` in the sender's memory go to `to` in the receiver's.
struct Piece {
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  std::uint64_t bytes = 0;
  bool adds = false; // the receiver adds them to its own; otherwise they replace these
};

// An interval of a vector. Beyond the vector's end it continues at the beginning.
struct Data {
  Bytes size;
  std::uint64_t from = 0;
  std::uint64_t vector_begin = 0;
  std::uint64_t vector_end = 0;
  bool adds = false;

  // The same bytes as partial results, which the receiver adds to its own.
  Data to_add() const {
    auto data = *this;
    data.adds = true;
    return data;
  }

  template <class Visitor> void for_each_piece(Visitor visit) const {
    const auto first = std::min(size.count, vector_end - from);
    if (first > 0)
      visit(Piece{from, from, first, adds});
    if (size.count > first)
      visit(Piece{vector_begin, vector_begin, size.count - first, adds});
  }
};

// A message without data.
struct Nothing {
  static constexpr Bytes size{};
  template <class Visitor> void for_each_piece(Visitor) const {}
};

// A vector divided into blocks, usually one for each rank.
class Blocks {
public:
  static Blocks whole(Bytes total) { return {1, total.count, total.count, 0, nullptr}; }
  static Blocks equal(Bytes each, int count) {
    return {count, each.count, each.count * static_cast<std::uint64_t>(count), 0, nullptr};
  }
  // Blocks of nearly equal size; the first ones are a byte larger.
  static Blocks even(Bytes total, int count) {
    const auto parts = static_cast<std::uint64_t>(count);
    return {count, total.count / parts, total.count, total.count % parts, nullptr};
  }
  // All blocks are as large as the first, except the last ones, which may be empty.
  static Blocks rounded_up(Bytes total, int count) {
    const auto parts = static_cast<std::uint64_t>(count);
    return {count, (total.count + parts - 1) / parts, total.count, 0, nullptr};
  }
  // Blocks of size `segment`; the last one may be smaller. There is at least one; a segment of 0 B makes one block.
  static Blocks segments(Bytes total, Bytes segment) {
    if (segment.count == 0 || segment >= total)
      return whole(total);
    return {static_cast<int>((total.count + segment.count - 1) / segment.count), segment.count, total.count, 0,
            nullptr};
  }
  // `begins` are the beginnings of the blocks and the end of the last one. The list must outlive the blocks.
  static Blocks listed(std::span<const std::uint64_t> begins) {
    assert(begins.size() >= 2 && std::is_sorted(begins.begin(), begins.end()));
    return {static_cast<int>(begins.size()) - 1, 0, begins.back(), 0, begins.data()};
  }

  bool is_listed() const { return begins_ != nullptr; }
  // Whether all blocks take about equally long: they differ by at most a byte, and by at most 1/64.
  bool are_alike() const {
    return !begins_ && total_ == each_ * static_cast<std::uint64_t>(count_) + larger_ && (larger_ == 0 || each_ >= 64);
  }
  int count() const { return count_; }
  Bytes total() const { return {total_}; }
  std::uint64_t begin_of(int block) const {
    const auto i = static_cast<std::uint64_t>(block);
    return begins_ ? begins_[i] : std::min(total_, i * each_ + std::min(i, larger_));
  }
  Bytes size_of(int block) const { return {begin_of(block + 1) - begin_of(block)}; }

  // The same blocks of a vector at another place in memory.
  Blocks at(std::uint64_t place) const {
    auto moved = *this;
    moved.place_ = place;
    return moved;
  }

  Data all() const { return {total(), place_, place_, place_ + total_, false}; }
  Data block(int block) const { return blocks(block, 1); }
  // Block `first` and the following ones; block 0 follows the last one. Block numbers are taken modulo the count.
  Data blocks(int first, int number) const {
    assert(first >= 0 && number >= 0 && number <= count_);
    const int begin = first % count_;
    const int end = begin + number;
    const auto from = begin_of(begin);
    const auto bytes = end <= count_ ? begin_of(end) - from : total_ - from + begin_of(end - count_);
    return {Bytes{bytes}, place_ + from, place_, place_ + total_, false};
  }
  // Part number `part` of `parts` of a block; all parts but the last have one size.
  Data part_of(int block, int part, int parts) const {
    const auto slices = rounded_up(size_of(block), parts);
    return {slices.size_of(part), place_ + begin_of(block) + slices.begin_of(part), place_, place_ + total_, false};
  }

private:
  Blocks(int count, std::uint64_t each, std::uint64_t total, std::uint64_t larger, const std::uint64_t* begins)
      : count_(count), each_(each), total_(total), larger_(larger), begins_(begins) {}

  int count_;
  std::uint64_t each_;
  std::uint64_t total_;
  std::uint64_t larger_; // number of blocks that have one byte more
  const std::uint64_t* begins_;
  std::uint64_t place_ = 0;
};

} // namespace kakehashi
