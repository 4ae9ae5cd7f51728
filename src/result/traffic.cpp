#include "result/traffic.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace kakehashi {
namespace {

constexpr std::size_t most_blocks = 64; // as many as a picture shows

} // namespace

Traffic::Traffic(std::size_t ranks)
    : ranks_(ranks), block_(std::max<std::size_t>(1, (ranks + most_blocks - 1) / most_blocks)),
      blocks_((ranks + block_ - 1) / block_), fields_(blocks_ * blocks_) {}

std::string Traffic::name_of(std::size_t block) const {
  const auto first = block * block_;
  const auto last = std::min(ranks_, first + block_) - 1;
  return first == last ? fmt::format("{}", first) : fmt::format("{}-{}", first, last);
}

} // namespace kakehashi
