#include "gpu/system.hpp"

namespace kakehashi {

std::shared_ptr<const GpuGeneration> as_measured(GpuGeneration generation, const GpuLibraryChoice& choice) {
  generation.launch = choice.launch.value_or(generation.launch);
  const double rise = choice.efficiency ? *choice.efficiency / generation.hops.back().share : 1;
  for (auto& hop : generation.hops) {
    hop.hop = choice.steps.value_or(1) * hop.hop;
    hop.share *= rise;
  }
  generation.pairs.peer = choice.steps.value_or(1) * generation.pairs.peer;
  generation.pairs.share *= rise;
  generation.nvls_share *= rise;
  return std::make_shared<const GpuGeneration>(std::move(generation));
}

std::shared_ptr<const GpuAdapter> as_measured(GpuAdapter adapter, const GpuLibraryChoice& choice) {
  adapter.floor = choice.floor.value_or(adapter.floor);
  const double slower = choice.network_steps.value_or(1);
  const double rise = choice.network_efficiency ? *choice.network_efficiency / adapter.tree.back().share : 1;
  for (auto& hop : adapter.tree) {
    hop.hop = slower * hop.hop;
    hop.share *= rise;
  }
  for (auto& hop : adapter.ring)
    hop = slower * hop;
  adapter.pairs.peer = slower * adapter.pairs.peer;
  if (adapter.pairs.share)
    *adapter.pairs.share *= rise;
  return std::make_shared<const GpuAdapter>(std::move(adapter));
}

} // namespace kakehashi
