#include "topology/symmetry.hpp"

#include "topology/capacity.hpp"
#include "topology/search.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>

namespace kakehashi {
namespace {

using Mapping = std::vector<std::size_t>; // the image of each device

// A link as one of its ends sees it.
struct View {
  LinkType type;
  double latency;
  double out; // capacities of both directions
  double in;
  std::size_t other; // a device, or a colour
  auto operator<=>(const View&) const = default;
};

class Exchanges {
public:
  Exchanges(const Platform& platform, const Fabric& fabric, Topology& topology, std::span<const int> offered)
      : platform_(platform), topology_(topology), offered_(offered), fabrics_(parts_of(platform, fabric)),
        views_(platform.devices.size()) {
    for (const auto& link : platform.links) {
      const auto capacity = capacity_of(link);
      views_[link.from].push_back(
          {link.type, link.latency.value, capacity.forward.value, capacity.backward.value, link.to});
      views_[link.to].push_back(
          {link.type, link.latency.value, capacity.backward.value, capacity.forward.value, link.from});
    }
    refine();
  }

  bool may_be_twins(std::size_t a, std::size_t b) const {
    return colours_[a] == colours_[b] && platform_.devices[a].node == platform_.devices[b].node;
  }

  // Whether the mapping keeps kinds, links and the fabric's routes.
  bool holds(const Mapping& mapping) {
    for (std::size_t device = 0; device < mapping.size(); ++device)
      if (colours_[device] != colours_[mapping[device]] ||
          (mapping[device] != device && mapped_views(device, mapping) != sorted(views_[mapping[device]])))
        return false;
    for (std::size_t device = 0; device < mapping.size(); ++device) // moved devices have neighbours that did not move
      for (const auto& view : views_[device])
        if (mapping[view.other] != view.other && mapped_views(device, mapping) != sorted(views_[mapping[device]]))
          return false;
    return keeps_routes(mapping);
  }

private:
  static std::vector<View> sorted(std::vector<View> views) {
    std::sort(views.begin(), views.end());
    return views;
  }
  std::vector<View> mapped_views(std::size_t device, const Mapping& mapping) const {
    auto views = views_[device];
    for (auto& view : views)
      view.other = mapping[view.other];
    return sorted(std::move(views));
  }

  // Refines colours until devices of one colour look alike, and so do their neighbours, the neighbours of those, and so
  // on.
  void refine() {
    const auto& devices = platform_.devices;
    std::set<std::string_view> names; // devices that a fabric names
    for (const auto* fabric : fabrics_) {
      names.insert(fabric->gateways.begin(), fabric->gateways.end());
      for (const auto& stage : fabric->stages)
        names.insert({stage.from.device, stage.to.device});
    }
    using Sort = std::tuple<DeviceKind, std::array<double, 5>, std::string_view, int, bool>;
    std::map<Sort, std::size_t> first;
    for (std::size_t i = 0; i < devices.size(); ++i) {
      const auto name = names.contains(devices[i].local_name()) ? devices[i].local_name() : std::string_view();
      const auto& memory = devices[i].memory;
      const std::array numbers{static_cast<double>(devices[i].cores),
                               memory && memory->states_bandwidth() ? bandwidth_of(*memory).value : 0,
                               memory ? static_cast<double>(memory->cache.value_or(Bytes{}).count) : 0,
                               devices[i].message_rate, devices[i].duplex_bandwidth.value_or(BytesPerSecond{}).value};
      colours_.push_back(
          first.try_emplace({devices[i].kind, numbers, name, offered_[i], devices[i].node.has_value()}, first.size())
              .first->second);
    }
    for (std::size_t before = 0, now = first.size(); now > before;) {
      before = now;
      std::map<std::pair<std::size_t, std::vector<View>>, std::size_t> finer;
      std::vector<std::size_t> next;
      for (std::size_t i = 0; i < devices.size(); ++i)
        next.push_back(finer.try_emplace({colours_[i], mapped_views(i, colours_)}, finer.size()).first->second);
      colours_ = std::move(next);
      now = finer.size();
    }
  }

  bool is_mapped(const Route& route, const Route& image, const Mapping& mapping) const {
    if (route.channels.size() != image.channels.size() || route.leg_ends != image.leg_ends)
      return false;
    for (std::size_t i = 0; i < route.channels.size(); ++i) {
      const auto channel = route.channels[i];
      const auto other = image.channels[i];
      const auto links = 2 * platform_.links.size();
      if ((channel < links) != (other < links) ||
          topology_.channels()[channel].capacity != topology_.channels()[other].capacity)
        return false;
      if (channel < links && mapping[tail_of(platform_, channel)] != tail_of(platform_, other))
        return false;
    }
    return true;
  }

  bool keeps_routes(const Mapping& mapping) {
    for (const auto* fabric : fabrics_)
      for (std::size_t a = 0; a < mapping.size(); ++a)
        for (std::size_t b = 0; b < mapping.size(); ++b) {
          if (offered_[a] == 0 || offered_[b] == 0 || (mapping[a] == a && mapping[b] == b))
            continue;
          for (const auto side : {Side::sender, Side::receiver}) {
            const auto route = topology_.route(*fabric, a, b, side);
            const auto image = topology_.route(*fabric, mapping[a], mapping[b], side);
            if (route.ok() != image.ok() || (route && !is_mapped(*route, *image, mapping)))
              return false;
          }
        }
    return true;
  }

  const Platform& platform_;
  Topology& topology_;
  std::span<const int> offered_;
  std::vector<const Fabric*> fabrics_;
  std::vector<std::vector<View>> views_; // the links of each device
  std::vector<std::size_t> colours_;
};

std::vector<std::map<std::string_view, std::size_t>> names_in_nodes(const Platform& platform) {
  std::vector<std::map<std::string_view, std::size_t>> names(platform.nodes.size());
  for (std::size_t i = 0; i < platform.devices.size(); ++i)
    if (platform.devices[i].node)
      names[*platform.devices[i].node].emplace(platform.devices[i].local_name(), i);
  return names;
}

} // namespace

Symmetry::Symmetry(const Platform& platform)
    : platform_(&platform), twins_(platform.devices.size()), node_class_(platform.nodes.size()),
      device_by_name_(names_in_nodes(platform)) {
  std::iota(twins_.begin(), twins_.end(), 0);
  std::iota(node_class_.begin(), node_class_.end(), 0);
  index();
}

Symmetry::Symmetry(const Platform& platform, const Fabric& fabric, Topology& topology, std::span<const int> offered)
    : Symmetry(platform) {
  constexpr auto most = std::size_t{64}; // devices; for each exchange, all pairs of them are compared
  if (static_cast<std::size_t>(std::count_if(offered.begin(), offered.end(), [](int n) { return n > 0; })) > most)
    return;
  Exchanges exchanges(platform, fabric, topology, offered);
  Mapping identity(platform.devices.size());
  std::iota(identity.begin(), identity.end(), 0);
  for (std::size_t b = 0; b < twins_.size(); ++b)
    for (std::size_t a = 0; a < b && offered[b] > 0 && twins_[b] == b; ++a) {
      if (twins_[a] != a || offered[a] == 0 || !exchanges.may_be_twins(a, b))
        continue;
      auto mapping = identity;
      std::swap(mapping[a], mapping[b]);
      if (exchanges.holds(mapping))
        twins_[b] = a;
    }
  std::vector<bool> is_offered(node_class_.size()); // other nodes never have a rank
  for (std::size_t device = 0; device < offered.size(); ++device)
    if (const auto node = platform.devices[device].node; node && offered[device] > 0)
      is_offered[*node] = true;
  for (std::size_t b = 0; b < node_class_.size(); ++b)
    for (std::size_t a = 0; a < b && is_offered[b] && node_class_[b] == b; ++a) {
      if (!is_offered[a] || node_class_[a] != a || device_by_name_[a].size() != device_by_name_[b].size())
        continue;
      auto mapping = identity;
      bool same_names = true;
      for (const auto& [name, device] : device_by_name_[a]) {
        const auto other = device_by_name_[b].find(name);
        same_names = same_names && other != device_by_name_[b].end();
        if (same_names)
          std::swap(mapping[device], mapping[other->second]);
      }
      if (same_names && exchanges.holds(mapping))
        node_class_[b] = a;
    }
  index();
}

void Symmetry::index() {
  members_.assign(twins_.size(), {});
  for (std::size_t i = 0; i < twins_.size(); ++i)
    members_[twins_[i]].push_back(i);
  nodes_.assign(node_class_.size(), {});
  for (std::size_t i = 0; i < node_class_.size(); ++i)
    nodes_[node_class_[i]].push_back(i);
}

std::vector<std::size_t> Symmetry::canonical(std::span<const std::size_t> devices) const {
  constexpr auto none = ~std::size_t{0};
  std::vector<std::size_t> node_image(node_class_.size(), none);
  std::vector<std::size_t> nodes_used(node_class_.size()); // number of used nodes in each class
  std::vector<std::size_t> image(twins_.size(), none);
  std::vector<std::size_t> used(twins_.size()); // number of used devices in each class
  std::vector<std::size_t> found;
  found.reserve(devices.size());
  for (const auto device : devices) {
    if (image[device] == none) {
      auto like = device;
      if (const auto& node = platform_->devices[device].node) {
        auto& to = node_image[*node];
        if (to == none)
          to = nodes_[node_class_[*node]][nodes_used[node_class_[*node]]++];
        if (to != *node)
          like = device_by_name_[to].at(platform_->devices[device].local_name());
      }
      image[device] = members_[twins_[like]][used[twins_[like]]++];
    }
    found.push_back(image[device]);
  }
  return found;
}

} // namespace kakehashi
