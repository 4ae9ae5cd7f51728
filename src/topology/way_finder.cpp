#include "topology/way_finder.hpp"

#include <algorithm>

namespace kakehashi {
namespace {

// Adds a plan if it is as good as the best, and drops plans that are worse.
template <class Plans, class Plan> void keep_best(Plans& plans, Plan plan) {
  if (!plans.empty() && !equally_long(plan.length, plans.front().length)) {
    if (plans.front().length < plan.length)
      return;
    plans.clear();
  }
  plans.push_back(std::move(plan));
}

} // namespace

WayFinder::WayFinder(const Platform& platform)
    : platform_(&platform), nodes_(platform.nodes.size()), attachments_(platform.devices.size()) {
  const auto& devices = platform.devices;
  for (std::size_t i = 0; i < devices.size(); ++i)
    if (devices[i].node)
      nodes_[*devices[i].node].devices.push_back(i);
  std::vector<std::size_t> outer(devices.size()); // number of links of each device that lead out of its node
  std::vector<std::size_t> last_out(devices.size());
  const auto stays_inside = [&](const Link& link) {
    return devices[link.from].node && devices[link.from].node == devices[link.to].node;
  };
  for (std::size_t i = 0; i < platform.links.size(); ++i) {
    const auto& link = platform.links[i];
    if (stays_inside(link)) {
      nodes_[*devices[link.from].node].links.push_back(i);
      continue;
    }
    for (const auto direction : {2 * i, 2 * i + 1}) {
      ++outer[tail_of(platform, direction)];
      exits_.push_back(direction);
      last_out[tail_of(platform, direction)] = direction;
    }
  }
  std::ranges::stable_sort(exits_, {}, [&](std::size_t direction) { return tail_of(platform, direction); });
  for (std::size_t i = 0; i < devices.size(); ++i) {
    if (devices[i].node && outer[i] > 0)
      nodes_[*devices[i].node].ports.push_back(i);
    const bool hangs_on_one = outer[i] == 1 && outer[head_of(platform, last_out[i])] > 1;
    if (hangs_on_one)
      attachments_[i] = Attachment{head_of(platform, last_out[i]), last_out[i]};
    else if (outer[i] > 0)
      attachments_[i] = Attachment{i, std::nullopt};
    if (outer[i] > 0 && !hangs_on_one)
      joining_devices_.push_back(i);
  }
  number_ends();
  const auto joins = [&](std::size_t device) { return attachments_[device] && !attachments_[device]->out; };
  for (std::size_t i = 0; i < platform.links.size(); ++i)
    if (const auto& link = platform.links[i]; !stays_inside(link) && joins(link.from) && joins(link.to))
      joining_links_.push_back(i);
}

void WayFinder::number_ends() {
  std::vector<std::size_t> ends;
  for (std::size_t i = 0; i < attachments_.size(); ++i)
    if (attachments_[i] && attachments_[i]->out)
      ends.push_back(i);
  std::ranges::stable_sort(ends, {}, [&](std::size_t end) { return attachments_[end]->at; });
  for (std::size_t i = 0; i < ends.size(); ++i)
    attachments_[ends[i]]->number = i;
}

// Neighbours in a node get different numbers, and so do neighbouring nodes.
std::size_t WayFinder::number_of(std::size_t device) const {
  const auto& node = platform_->devices[device].node;
  if (!node)
    return device;
  const auto& all = nodes_[*node].devices;
  return *node + static_cast<std::size_t>(std::lower_bound(all.begin(), all.end(), device) - all.begin());
}

bool WayFinder::is_end(std::size_t device) const {
  return is_card(platform_->devices[device].kind);
}

WaySearch* WayFinder::inside(std::size_t device) {
  const auto& node = platform_->devices[device].node;
  if (!node)
    return nullptr;
  auto& parts = nodes_[*node];
  if (!parts.search)
    parts.search.emplace(*platform_, parts.devices, parts.links);
  return &*parts.search;
}

WaySearch& WayFinder::between() {
  if (!between_)
    between_.emplace(*platform_, joining_devices_, joining_links_);
  return *between_;
}

// An adapter joins links inside its node to its own links out of the node only.
std::vector<std::size_t> WayFinder::ports_of(std::size_t device) const {
  const auto& [node, kind] = std::tie(platform_->devices[device].node, platform_->devices[device].kind);
  if (node && !is_adapter(kind))
    return nodes_[*node].ports;
  return attachments_[device] ? std::vector{device} : std::vector<std::size_t>();
}

std::span<const std::size_t> WayFinder::exits_of(std::size_t device) const {
  const auto tail = [&](std::size_t direction) { return tail_of(*platform_, direction); };
  return {std::ranges::lower_bound(exits_, device, {}, tail), std::ranges::upper_bound(exits_, device, {}, tail)};
}

bool WayFinder::leads_out(std::size_t device, const Usable& usable) const {
  return std::ranges::any_of(exits_of(device), [&](std::size_t direction) {
    return usable.allows(platform_->links[link_of_direction(direction)].type);
  });
}

bool WayFinder::add_inside(std::size_t from, std::size_t to, const Usable& usable, Plan& plan) {
  if (from == to)
    return true;
  auto* search = inside(from);
  const auto length = search ? search->length(from, to, usable) : std::nullopt;
  if (!length)
    return false;
  plan.length = plan.length + *length;
  plan.parts.push_back({search, from, to, 0});
  return true;
}

bool WayFinder::add_hop(std::size_t direction, const Usable& usable, Plan& plan) const {
  const auto& link = platform_->links[link_of_direction(direction)];
  if (!usable.allows(link.type) || !(capacity_of(*platform_, direction) > usable.above))
    return false;
  plan.length = plan.length + Length{link.latency.value, 1};
  plan.parts.push_back({nullptr, tail_of(*platform_, direction), head_of(*platform_, direction), direction});
  return true;
}

// Adds the part of the way from one port to another.
bool WayFinder::add_between(std::size_t from, std::size_t to, const Usable& usable, Plan& plan) {
  const auto& start = *attachments_[from];
  const auto& end = *attachments_[to];
  const bool meet = start.at == end.at;
  if ((start.out && !(meet && !end.out) && is_end(start.at)) || (end.out && !(meet && !start.out) && is_end(end.at)) ||
      (start.out && !add_hop(*start.out, usable, plan)))
    return false;
  if (!meet) {
    const auto length = between().length(start.at, end.at, usable);
    if (!length)
      return false;
    plan.length = plan.length + *length;
    plan.parts.push_back({&between(), start.at, end.at, 0});
  }
  return !end.out || add_hop(*end.out ^ 1, usable, plan);
}

// Returns the best plans: inside the node, or out of it through one port and in again through another. From one part of
// a node to another it does not pass adapters if there is a way inside.
WayFinder::Plans WayFinder::plans(std::size_t from, std::size_t to, const Usable& usable) {
  Plans best;
  const auto& node = platform_->devices[from].node;
  const bool is_inside = node && node == platform_->devices[to].node;
  const bool passes_adapters = !is_inside || !inside(from)->length(from, to, {usable.types, {}});
  if (Plan plan{{}, {}, to}; is_inside && add_inside(from, to, usable, plan))
    keep_best(best, std::move(plan));
  const auto passes = [&](std::size_t port, std::size_t end) {
    return port == end || (!is_end(port) && (passes_adapters || !is_adapter(platform_->devices[port].kind)));
  };
  for (const auto out : ports_of(from))
    for (const auto in : ports_of(to)) {
      Plan plan{{}, {}, in};
      if (out != in && passes(out, from) && passes(in, to) && add_inside(from, out, usable, plan) &&
          add_between(out, in, usable, plan) && add_inside(in, to, usable, plan))
        keep_best(best, std::move(plan));
    }
  return best;
}

std::vector<std::size_t> WayFinder::nearest_gateways(const Fabric& fabric, std::size_t device, const Usable& usable) {
  std::vector<std::size_t> nearest;
  const auto& node = platform_->devices[device].node;
  if (!node)
    return {device};
  std::optional<Length> least;
  for (const auto each : nodes_[*node].devices) {
    const auto& names = fabric.gateways;
    if (std::find(names.begin(), names.end(), platform_->devices[each].local_name()) == names.end() ||
        (is_adapter(platform_->devices[each].kind) && !fabric.loop_back && !leads_out(each, usable)))
      continue;
    const auto length = inside(device)->length(device, each, usable);
    if (!length || (least && !equally_long(*length, *least) && *least < *length))
      continue;
    if (least && !equally_long(*length, *least))
      nearest.clear();
    least = length;
    nearest.push_back(each);
  }
  if (nearest.empty() && usable.above == BytesPerSecond{})
    nearest.push_back(device); // there is no gateway to pass
  return nearest;
}

WayFinder::Plans WayFinder::plans(const Fabric& fabric, std::size_t from, std::size_t to, const Usable& usable) {
  const auto& node = platform_->devices[from].node;
  const bool is_inside = node && node == platform_->devices[to].node;
  Plans best;
  if (is_inside && fabric.loop_back) {
    for (const auto gateway : nearest_gateways(fabric, from, usable))
      if (Plan plan{{}, {}, to}; add_inside(from, gateway, usable, plan) && add_inside(gateway, to, usable, plan))
        keep_best(best, std::move(plan));
    return best;
  }
  if (fabric.gateways.empty() || is_inside)
    return plans(from, to, usable);
  const auto gateways_in = nearest_gateways(fabric, to, usable);
  for (const auto out : nearest_gateways(fabric, from, usable))
    for (const auto in : gateways_in)
      for (const auto& middle : plans(out, in, usable)) {
        Plan plan{{}, {}, middle.end};
        add_inside(from, out, usable, plan);
        plan.length = plan.length + middle.length;
        plan.parts.insert(plan.parts.end(), middle.parts.begin(), middle.parts.end());
        add_inside(in, to, usable, plan);
        keep_best(best, std::move(plan));
      }
  return best;
}

// Returns the first hops that a way may take out of a gateway; for a device that is no adapter it may be any.
std::vector<std::optional<std::size_t>> WayFinder::first_hops(std::size_t gateway) const {
  if (!is_adapter(platform_->devices[gateway].kind))
    return {std::nullopt};
  const auto exits = exits_of(gateway);
  return {exits.begin(), exits.end()};
}

bool WayFinder::add_through_nodes(std::size_t from, std::size_t to, const Usable& usable, Plan& plan) {
  if (!whole_)
    whole_.emplace(*platform_);
  const auto length = whole_->length(from, to, usable);
  if (!length)
    return false;
  plan.length = plan.length + *length;
  plan.parts.push_back({&*whole_, from, to, 0});
  return true;
}

WayFinder::Plans WayFinder::through_nodes(const Fabric& fabric, std::size_t from, std::size_t to,
                                          const Usable& usable) {
  Plans best;
  if (fabric.gateways.empty() || platform_->devices[from].node == platform_->devices[to].node) {
    if (Plan plan{{}, {}, to}; add_through_nodes(from, to, usable, plan))
      keep_best(best, std::move(plan));
    return best;
  }
  const auto gateways_in = nearest_gateways(fabric, to, usable);
  for (const auto out : nearest_gateways(fabric, from, usable))
    for (const auto in : gateways_in)
      for (const auto exit : first_hops(out))
        for (const auto entry : first_hops(in))
          if (Plan plan{{}, {}, to}; add_inside(from, out, usable, plan) && (!exit || add_hop(*exit, usable, plan)) &&
                                     add_through_nodes(exit ? head_of(*platform_, *exit) : out,
                                                       entry ? head_of(*platform_, *entry) : in, usable, plan) &&
                                     (!entry || add_hop(*entry ^ 1, usable, plan)) && add_inside(in, to, usable, plan))
            keep_best(best, std::move(plan));
  return best;
}

std::optional<std::vector<std::size_t>> WayFinder::find(const Fabric& fabric, std::size_t from, std::size_t to,
                                                        BytesPerSecond above) {
  const Usable usable{bits_of(fabric.links), above};
  auto best = plans(fabric, from, to, usable);
  if (best.empty() && (above == BytesPerSecond{} || plans(fabric, from, to, {usable.types, {}}).empty()))
    best = through_nodes(fabric, from, to, usable);
  if (best.empty())
    return std::nullopt;
  const auto& plan = best[fabric.spread ? number_of(to) % best.size() : 0];
  const auto& end = attachments_[plan.end];
  Turn turn(!fabric.spread ? 0 : end && end->out ? end->number : number_of(plan.end));
  std::vector<std::size_t> directions;
  for (const auto& part : plan.parts)
    if (part.search)
      part.search->add_way(part.from, part.to, usable, turn, directions);
    else
      directions.push_back(part.direction);
  return directions;
}

double WayFinder::count(const Fabric& fabric, std::size_t from, std::size_t to, BytesPerSecond above) {
  const Usable usable{bits_of(fabric.links), above};
  double ways = 0;
  for (const auto& plan : plans(fabric, from, to, usable)) {
    double of_plan = 1;
    for (const auto& part : plan.parts)
      if (part.search)
        of_plan *= part.search->count(part.from, part.to, usable);
    ways += of_plan;
  }
  return std::max(ways, 1.0);
}

} // namespace kakehashi
