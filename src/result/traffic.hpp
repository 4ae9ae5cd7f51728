// The bytes that ranks send to each other, in bounded memory: many ranks form blocks of equal size.
#pragma once

#include "base/units.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace kakehashi {

struct TrafficField {
  double bytes = 0;
  std::uint64_t messages = 0;
};

// The messages from the ranks of one block to those of another.
struct TrafficPair {
  std::size_t from = 0;
  std::size_t to = 0;
  TrafficField field;
};

class Traffic {
public:
  explicit Traffic(std::size_t ranks);
  Traffic coarser(std::size_t most_blocks) const; // Returns the same traffic in fewer blocks.

  // Returns an empty Traffic for messages from the first ranks only. Its blocks divide both their number and the blocks
  // of this one.
  Traffic of_first(std::size_t senders) const;

  void add(int from, int to, Bytes size) { add(from, to, {static_cast<double>(size.count), 1}); }
  void add(int from, int to, const TrafficField& more) {
    auto& field = fields_[static_cast<std::size_t>(from) / block_ * blocks_ + static_cast<std::size_t>(to) / block_];
    field.bytes += more.bytes;
    field.messages += more.messages;
  }
  void clear() { fields_.assign(fields_.size(), {}); }

  std::size_t block() const { return block_; }
  std::size_t blocks() const { return blocks_; }
  const TrafficField& at(std::size_t from, std::size_t to) const { return fields_[from * blocks_ + to]; }
  std::vector<TrafficPair> pairs() const;       // the pairs of blocks that exchange messages, in order
  std::string name_of(std::size_t block) const; // "3", "8-15"
  int first_of(std::size_t block) const { return static_cast<int>(block * block_); }

private:
  Traffic(std::size_t ranks, std::size_t ranks_each, std::size_t senders);

  std::size_t ranks_;
  std::size_t block_; // ranks in each block
  std::size_t blocks_;
  std::vector<TrafficField> fields_;
};

} // namespace kakehashi
