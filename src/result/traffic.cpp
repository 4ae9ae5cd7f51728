#include "result/traffic.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace kakehashi {
namespace {

constexpr std::size_t most_blocks = 64; // the most that a picture shows

// The number of parts in a block if there may be `most` blocks.
std::size_t block_of(std::size_t parts, std::size_t most) {
  return std::max<std::size_t>(1, (parts + most - 1) / most);
}

} // namespace

Traffic::Traffic(std::size_t ranks) : Traffic(ranks, block_of(ranks, most_blocks), ranks) {}

Traffic::Traffic(std::size_t ranks, std::size_t ranks_each, std::size_t senders)
    : ranks_(ranks), block_(ranks_each), blocks_((ranks + ranks_each - 1) / ranks_each),
      fields_((senders + ranks_each - 1) / ranks_each * blocks_) {}

Traffic Traffic::of_first(std::size_t senders) const {
  return {ranks_, std::gcd(senders, block_), senders};
}

Traffic Traffic::coarser(std::size_t most) const {
  const auto joined = block_of(blocks_, most);
  Traffic result(ranks_, block_ * joined, ranks_);
  for (const auto& pair : pairs()) {
    auto& field = result.fields_[pair.from / joined * result.blocks_ + pair.to / joined];
    field.bytes += pair.field.bytes;
    field.messages += pair.field.messages;
  }
  return result;
}

std::vector<TrafficPair> Traffic::pairs() const {
  std::vector<TrafficPair> pairs;
  for (std::size_t field = 0; field < fields_.size(); ++field)
    if (fields_[field].messages > 0)
      pairs.push_back({field / blocks_, field % blocks_, fields_[field]});
  return pairs;
}

std::string Traffic::name_of(std::size_t block) const {
  const auto first = block * block_;
  const auto last = std::min(ranks_, first + block_) - 1;
  return first == last ? fmt::format("{}", first) : fmt::format("{}-{}", first, last);
}

} // namespace kakehashi
