#include "transport/path.hpp"

#include <fmt/format.h>

namespace kakehashi {
namespace {

bool matches(const Rule& rule, const Path& path, const Platform& platform) {
  if (rule.scope && *rule.scope != path.scope)
    return false;
  if (rule.between) {
    const auto [a, b] = *rule.between;
    if (!(a == path.from_kind && b == path.to_kind) && !(a == path.to_kind && b == path.from_kind))
      return false;
  }
  return !rule.crosses || path.route.crossings(platform, *rule.crosses) > 0;
}

} // namespace

Scope scope_of(const Platform& platform, std::size_t from, std::size_t to) {
  if (from == to)
    return Scope::inside_device;
  const auto& node = platform.devices[from].node;
  return node && node == platform.devices[to].node ? Scope::inside_node : Scope::between_nodes;
}

Result<Path> make_path(const Platform& platform, const Topology& topology, const Fabric& fabric, std::size_t from,
                       std::size_t to) {
  auto route = topology.route(fabric, from, to);
  if (!route)
    return route.errors();
  Path path{from,
            to,
            platform.devices[from].kind,
            platform.devices[to].kind,
            scope_of(platform, from, to),
            std::move(*route),
            &fabric,
            nullptr,
            {}};
  for (const auto& rule : fabric.rules)
    if (!path.rule && matches(rule, path, platform))
      path.rule = &rule;
  if (!path.rule)
    return Error{
        ErrorKind::input, platform.file, "/fabrics/" + fabric.name + "/rules",
        mismatch(fmt::format("no rule for \"{}\" to \"{}\" ({}, {} to {})", platform.devices[from].name,
                             platform.devices[to].name, name_of(scope_names, path.scope),
                             name_of(device_kind_names, path.from_kind), name_of(device_kind_names, path.to_kind)),
                 "one that matches"),
        ""};
  for (const auto& adjustment : fabric.adjustments)
    path.crossings.push_back(path.route.crossings(platform, adjustment.crosses));
  return path;
}

} // namespace kakehashi
