#include "result/gpu_tuning.hpp"

namespace kakehashi {

std::vector<TunedGpuRange> ranges_of(const TunedGpuOperation& operation) {
  std::vector<TunedGpuRange> ranges;
  for (const auto& each : operation.sizes) {
    if (!ranges.empty() && ranges.back().first->algorithm == each.algorithm &&
        ranges.back().first->protocol == each.protocol) {
      ranges.back().last = &each;
      continue;
    }
    if (!ranges.empty())
      ranges.back().to = Bytes{each.size.count - 1};
    ranges.push_back({&each, &each, {}});
  }
  return ranges;
}

} // namespace kakehashi
