#include "input/catalogue/claim_variant.hpp"

#include "input/platform/mpi_reader.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace kakehashi {

std::vector<std::size_t> read_box(const Checked& entry, const Platform& platform) {
  const auto box = entry.at("box");
  if (!platform.torus)
    box.refuse("none on a platform that is no torus");
  const auto& torus = *platform.torus;
  const auto whole = torus.box();
  BoxPoint extent{};
  for (std::size_t axis = 0; axis < extent.size(); ++axis) {
    const auto length = box.elements(extent.size())[axis];
    if (length.count() < 1 || length.count() > static_cast<std::uint64_t>(whole[axis]))
      length.refuse(fmt::format("1 to {} nodes", whole[axis]));
    extent[axis] = static_cast<int>(length.count());
  }
  const auto per_node = entry.at("per_node").count();
  std::vector<std::size_t> ranks;
  for (int z = 0; z < extent[2]; ++z)
    for (int y = 0; y < extent[1]; ++y)
      for (int x = 0; x < extent[0]; ++x)
        for (std::size_t i = 0; i < torus.devices_per_node; ++i) {
          const auto device = node_at(whole, {x, y, z}) * torus.devices_per_node + i;
          if (can_run_ranks(platform.devices[device].kind))
            ranks.insert(ranks.end(), per_node, device);
        }
  return ranks;
}

void set_library(MpiSettings& mpi, const Checked& name, const std::string& collective) {
  const auto found = std::find(collective_names.begin(), collective_names.end(), collective);
  if (found == collective_names.end())
    name.refuse("none for a benchmark of no collective operation");
  const auto with = with_library(mpi, static_cast<Collective>(found - collective_names.begin()), name.text());
  if (!with)
    name.refuse(fmt::format("decision tables, or an algorithm of {}", collective));
  mpi = *with;
}

} // namespace kakehashi
