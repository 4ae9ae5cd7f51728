#include "input/import/simgrid.hpp"

#include "base/text.hpp"
#include "input/import/assembly.hpp"

#include <fmt/format.h>
#include <set>

namespace kakehashi {

SimgridMap::Point SimgridMap::add_point() {
  parent_.push_back(parent_.size());
  return parent_.size() - 1;
}

SimgridMap::Point SimgridMap::root_of(Point point) const {
  while (parent_[point] != point)
    point = parent_[point] = parent_[parent_[point]];
  return point;
}

bool SimgridMap::unite(Point a, Point b) {
  a = root_of(a);
  b = root_of(b);
  if (a == b)
    return true;
  if (hosts_.contains(a) && hosts_.contains(b))
    return false;
  if (hosts_.contains(b))
    std::swap(a, b);
  parent_[b] = a;
  return true;
}

SimgridMap::Point SimgridMap::add_host(const std::string& name) {
  const auto point = add_router(name);
  hosts_.emplace(point, name);
  return point;
}

SimgridMap::Point SimgridMap::add_router(const std::string& name) {
  const auto point = add_point();
  if (!name.empty()) {
    points_.emplace(name, point);
    routers_.emplace(point, name);
  }
  return point;
}

std::optional<SimgridMap::Point> SimgridMap::find(const std::string& name) const {
  const auto found = points_.find(name);
  return found == points_.end() ? std::nullopt : std::optional(found->second);
}

void SimgridMap::add_link(const std::string& name, SimgridLink link) {
  links_.emplace(name, Placed{link, {}, {}, false});
}

void SimgridMap::connect(Point from, Point to, SimgridLink link) {
  own_links_.push_back({link, from, to, false});
}

// A link that all routes of a zone share, in both directions, has no two ends. Its points become one.
void SimgridMap::leave_out(const std::string& name, Placed& link) {
  link.is_left_out = true;
  unite(*link.first, *link.second);
  left_out_.push_back(name);
}

void SimgridMap::add_route(Point from, Point to, const std::vector<std::string>& names) {
  auto at = from;
  for (std::size_t i = 0; i < names.size(); ++i) {
    auto& link = links_.at(names[i]);
    if (!link.first) {
      link.first = at;
      link.second = add_point();
      at = *link.second;
    } else if (link.is_left_out || root_of(*link.first) == root_of(at)) {
      unite(at, *link.first);
      at = *link.second;
    } else if (root_of(*link.second) == root_of(at)) {
      at = *link.first;
    } else { // it begins elsewhere: both places are the same, unless they are two hosts
      const bool fits = unite(at, *link.first);
      if (fits || unite(at, *link.second))
        at = fits ? *link.second : *link.first;
      else
        leave_out(names[i], link);
    }
    if (!link.is_left_out && root_of(*link.first) == root_of(*link.second))
      leave_out(names[i], link);
  }
  if (unite(at, to) || names.empty())
    return;
  // The last link ends at another host.
  auto& last = links_.at(names.back());
  if (!last.is_left_out)
    leave_out(names.back(), last);
}

void SimgridMap::add_direct(Point from, Point to, const std::vector<std::string>& names) {
  if (!direct_.emplace(std::min(from, to), std::max(from, to)).second)
    return;
  SimgridLink whole{links_.at(names.front()).link.bandwidth, {}};
  for (const auto& name : names) {
    const auto& link = links_.at(name).link;
    whole = {std::min(whole.bandwidth, link.bandwidth), whole.latency + link.latency};
  }
  connect(from, to, whole);
}

std::vector<std::string> SimgridMap::hosts() const {
  std::vector<std::string> names;
  for (const auto& [point, name] : hosts_)
    names.push_back(name);
  return names;
}

Blueprint SimgridMap::blueprint() const {
  Blueprint blueprint;
  blueprint.templates.emplace_back("host", Assembly{{{"cpu", DeviceKind::cpu, {}}}, {}});
  std::set<std::string> taken;
  const auto unique = [&](const std::string& name) {
    auto plain = plain_name(name);
    for (int i = 2; !taken.insert(plain).second; ++i)
      plain = fmt::format("{}_{}", plain_name(name), i);
    return plain;
  };
  std::map<Point, std::string> devices;
  for (const auto& [point, name] : hosts_) {
    blueprint.nodes.emplace_back(unique(name), "host");
    devices[point] = blueprint.nodes.back().first + ".cpu";
  }
  std::map<Point, std::string> names;
  for (const auto& [point, name] : routers_)
    names.emplace(root_of(point), name);
  const auto device_at = [&](Point point) {
    const auto root = root_of(point);
    const auto known = devices.find(root);
    if (known != devices.end())
      return known->second;
    const auto name = unique(names.contains(root) ? names[root] : fmt::format("junction{}", devices.size()));
    blueprint.outside.devices.push_back({name, DeviceKind::network_switch, stated("SimGrid's platform")});
    return devices[root] = name;
  };
  // Several links between the same points become one, with the sum of their capacities.
  std::map<std::pair<std::string, std::string>, std::size_t> joined;
  const auto add = [&](const Placed& placed, const std::string& what) {
    if (!placed.first || placed.is_left_out || root_of(*placed.first) == root_of(*placed.second))
      return;
    std::pair key{device_at(*placed.first), device_at(*placed.second)};
    if (key.second < key.first)
      std::swap(key.first, key.second);
    const auto [known, is_new] = joined.emplace(key, blueprint.outside.links.size());
    auto cable = stated_cable("ethernet", placed.link.bandwidth, stated(what));
    cable.latency = placed.link.latency;
    cable.source = stated(what);
    if (is_new)
      blueprint.outside.links.push_back({key.first, key.second, cable});
    else
      *blueprint.outside.links[known->second].cable.bandwidth += placed.link.bandwidth;
  };
  for (const auto& link : own_links_)
    add(link, "SimGrid's platform");
  for (const auto& [name, link] : links_)
    add(link, "SimGrid's platform: link " + shortened(name, 60));
  return blueprint;
}

} // namespace kakehashi
