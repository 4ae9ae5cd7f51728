#include "study/fit/fits.hpp"

#include "topology/topology.hpp"
#include "transport/path.hpp"

#include <cassert>
#include <set>
#include <tuple>

namespace kakehashi {
namespace {

// Returns the fabric itself, or the one that carries its messages of a scope.
const Fabric& carrier_of(const Platform& platform, const Fabric& fabric, Scope scope) {
  if (!fabric.by_scope)
    return fabric;
  const auto* carrier = find_fabric(platform, (*fabric.by_scope)[static_cast<std::size_t>(scope)]);
  assert(carrier); // the platform's reader has checked it
  return *carrier;
}

MeasuredPairs pairs_on(const Platform& platform, Topology& topology, const Fabric& carrier, Scope scope) {
  MeasuredPairs pairs{&carrier, {}, 0};
  std::set<PathTerms> kinds;
  for (std::size_t from = 0; from < platform.devices.size(); ++from)
    for (std::size_t to = 0; to < platform.devices.size(); ++to) {
      const auto& [a, b] = std::tie(platform.devices[from], platform.devices[to]);
      if (!can_run_ranks(a.kind) || !can_run_ranks(b.kind) || a.node != 0 || !b.node ||
          scope_of(platform, from, to) != scope ||
          (scope != Scope::between_nodes && (a.kind != DeviceKind::cpu || b.kind != DeviceKind::cpu)))
        continue;
      const auto path = make_path(platform, topology, carrier, from, to);
      if (!path)
        continue;
      kinds.insert(path->terms);
      if (pairs.first.empty())
        pairs.first = {from, to};
    }
  pairs.kinds = kinds.size();
  return pairs;
}

} // namespace

MeasuredPairs pairs_of(const Platform& platform, std::span<const Fabric* const> fabrics, Scope scope) {
  Topology topology(platform);
  MeasuredPairs pairs;
  for (const auto* fabric : fabrics)
    if (pairs.kinds == 0)
      pairs = pairs_on(platform, topology, carrier_of(platform, *fabric, scope), scope);
  return pairs;
}

const Fabric& carrier_between(const Platform& platform, std::span<const Fabric* const> fabrics, std::size_t from,
                              std::size_t to) {
  Topology topology(platform);
  for (const auto* fabric : fabrics) {
    const auto& carrier = carrier_of(platform, *fabric, scope_of(platform, from, to));
    if (fabric == fabrics.back() || make_path(platform, topology, carrier, from, to))
      return carrier;
  }
  return *fabrics.back();
}

} // namespace kakehashi
