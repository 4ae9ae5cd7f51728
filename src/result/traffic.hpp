// How many bytes ranks send to each other, in bounded memory: many ranks are taken together in blocks of equal size.
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

class Traffic {
public:
  explicit Traffic(std::size_t ranks);

  void add(int from, int to, Bytes size) {
    auto& field = fields_[static_cast<std::size_t>(from) / block_ * blocks_ + static_cast<std::size_t>(to) / block_];
    field.bytes += static_cast<double>(size.count);
    ++field.messages;
  }
  void clear() { fields_.assign(fields_.size(), {}); }

  std::size_t blocks() const { return blocks_; }
  const TrafficField& at(std::size_t from, std::size_t to) const { return fields_[from * blocks_ + to]; }
  std::string name_of(std::size_t block) const; // "3", "8-15"

private:
  std::size_t ranks_;
  std::size_t block_; // ranks of each
  std::size_t blocks_;
  std::vector<TrafficField> fields_;
};

} // namespace kakehashi
