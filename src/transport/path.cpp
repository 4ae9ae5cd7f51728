#include "transport/path.hpp"

#include "topology/search.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace kakehashi {
namespace {

bool matches(const Rule& rule, const Path& path, const Platform& platform) {
  if (rule.scope && *rule.scope != path.scope)
    return false;
  if (rule.between) {
    const auto [a, b] = *rule.between;
    if (!(a == path.terms.from_kind && b == path.terms.to_kind) &&
        !(a == path.terms.to_kind && b == path.terms.from_kind))
      return false;
  }
  return (!rule.from || *rule.from == path.terms.from_kind) && (!rule.to || *rule.to == path.terms.to_kind) &&
         (!rule.initiator || *rule.initiator == path.terms.initiator_kind()) &&
         (!rule.crosses || path.route.crossings(platform, *rule.crosses) > 0);
}

// Returns the device that a stage's end names for a message; nothing if the node has no device with that name.
std::optional<std::size_t> device_of(const StageEnd& end, const Platform& platform, std::size_t from, std::size_t to) {
  const auto endpoint = end.side == Side::sender ? from : to;
  return end.device.empty() ? endpoint : named_near(platform, endpoint, end.device);
}

bool applies(const Stage& stage, DeviceKind sender, DeviceKind receiver) {
  return stage.only_sender.value_or(sender) == sender && stage.only_receiver.value_or(receiver) == receiver;
}

// Returns the memory channels of a copy by cores: it reads one memory and writes the other, whose lines are fetched
// before they are written; a buffer lies in the sender's memory. A device that writes to a memory fetches nothing.
std::vector<std::size_t> memory_of(const Path& path, const Platform& platform, Topology& topology) {
  std::vector<std::size_t> memory;
  if (path.terms.rule->moved_by_cores) {
    memory = {topology.memory(path.from), topology.memory(path.to), topology.memory(path.to)};
    memory.insert(memory.end(), 3 * static_cast<std::size_t>(path.terms.rule->copies - 1), topology.memory(path.from));
    return memory;
  }
  if (!path.route.links.empty())
    for (const auto end : {path.from, path.to})
      if (platform.devices[end].memory)
        memory.insert(memory.end(), static_cast<std::size_t>(path.terms.stripes), topology.memory(end));
  return memory;
}

// Sends through all gateways at once: one flow over the channels of all stripes, each channel listed as often as
// stripes pass it, has the rate of one stripe. Links and latency are those of the slowest stripe.
// Returns whether the message is striped.
bool stripe(Path& path, const std::vector<Route>& stripes) {
  const auto legs = path.route.legs();
  if (stripes.empty() || std::ranges::any_of(stripes, [&](const Route& each) { return each.legs() != legs; }))
    return false;
  path.terms.stripes = static_cast<int>(stripes.size());
  path.route = *std::ranges::max_element(stripes, {}, &Route::latency);
  path.route.channels.clear();
  path.route.leg_ends.clear();
  for (std::size_t leg = 0; leg < legs; ++leg) {
    for (const auto& each : stripes)
      path.route.channels.insert(path.route.channels.end(), each.leg(leg).begin(), each.leg(leg).end());
    path.route.leg_ends.push_back(path.route.channels.size());
  }
  return true;
}

// The first adapter on the route sends and the last one receives; either counts only if it states a message rate. A
// single adapter between two nodes works for its own node.
void find_nics(Path& path, const Route& route, const Platform& platform) {
  for (const auto direction : route.channels) {
    if (direction >= 2 * platform.links.size())
      continue; // no channel of a link
    const auto device = head_of(platform, direction);
    if (!is_adapter(platform.devices[device].kind))
      continue;
    if (!path.sending_nic)
      path.sending_nic = device;
    path.receiving_nic = device;
  }
  const auto drop = [&](std::optional<std::size_t>& nic, std::size_t other_end) {
    const auto& devices = platform.devices;
    const bool is_others = nic && path.scope == Scope::between_nodes && devices[*nic].node &&
                           devices[*nic].node == devices[other_end].node;
    if (is_others || (nic && devices[*nic].message_rate == 0))
      nic.reset();
  };
  drop(path.sending_nic, path.to);
  drop(path.receiving_nic, path.from);
}

// Returns the time of a request from the adapter to the sender's memory and of its answer: twice the latency of the
// links between them and of the fabric's adjustments for these.
Seconds fetch_of(const Path& path, const Platform& platform) {
  Seconds way;
  for (const auto direction : path.route.channels) {
    if (direction >= 2 * platform.links.size())
      continue; // no channel of a link
    const auto& link = platform.links[link_of_direction(direction)];
    way += link.latency;
    for (const auto& adjustment : path.terms.fabric->adjustments)
      if (adjustment.crosses == link.type && adjustment.protocol.value_or(Protocol::eager) == Protocol::eager)
        way += adjustment.latency;
    const auto& head = platform.devices[head_of(platform, direction)];
    if (is_adapter(head.kind))
      return head.node == platform.devices[path.from].node ? 2.0 * way : Seconds{};
  }
  return {}; // the sender has no adapter
}

// Returns whose DMA engines move the payload: the initiator's, or those that its partner has for a cpu. Cores or an
// adapter may move it instead.
std::optional<Worker> engines_of(const Path& path, const Platform& platform) {
  const auto& devices = platform.devices;
  const auto is_passed = [&](std::size_t link) {
    return is_adapter(devices[platform.links[link].from].kind) || is_adapter(devices[platform.links[link].to].kind);
  };
  if (path.scope != Scope::inside_node || path.terms.rule->moved_by_cores || path.terms.fabric->forwarded ||
      std::ranges::any_of(path.route.links, is_passed))
    return std::nullopt;
  const bool sends = path.terms.initiator == Side::sender;
  const auto initiator = sends ? path.from : path.to;
  if (dma_engines_of(devices[initiator]) > 0)
    return Worker{initiator, WorkerKind::own_engines};
  const auto partner = sends ? path.to : path.from;
  return dma_engines_of(devices[partner]) > 0 ? std::optional(Worker{partner, WorkerKind::engines_for_others})
                                              : std::nullopt;
}

} // namespace

int at_a_time(const Device& device, WorkerKind kind) {
  return kind == WorkerKind::threads ? device.stage_threads : dma_engines_of(device);
}

std::vector<std::size_t> channels_of(const Path& path, std::size_t leg, Loads loads, const Platform& platform) {
  const auto on_leg = path.route.leg(leg);
  std::vector<std::size_t> channels(on_leg.begin(), on_leg.end());
  // Leave out the memory channels of a route inside a device, and limits of other devices.
  if (path.terms.rule->moved_by_cores)
    std::erase_if(channels, [&](std::size_t channel) { return channel >= 2 * platform.links.size(); });
  const bool passes = loads.domains && path.domains;
  if (loads.memory && !path.memory.empty())
    channels.insert(channels.end(), path.memory.begin(), path.memory.end());
  else if (!passes)
    channels.insert(channels.end(), path.caches.begin(), path.caches.end());
  if (passes)
    channels.push_back(*path.domains);
  return channels;
}

WayTerms terms_of(const Way& way) {
  WayTerms terms{{}, way.chunk};
  for (const auto& path : way.stages)
    terms.stages.push_back(path.terms);
  return terms;
}

Scope scope_of(const Platform& platform, std::size_t from, std::size_t to) {
  if (from == to)
    return Scope::inside_device;
  const auto& node = platform.devices[from].node;
  return node && node == platform.devices[to].node ? Scope::inside_node : Scope::between_nodes;
}

Result<Path> make_path(const Platform& platform, Topology& topology, const Fabric& fabric, std::size_t from,
                       std::size_t to, Side initiator, Bytes size) {
  auto route = topology.route(fabric, from, to, initiator);
  if (!route)
    return route.errors();
  Path path;
  path.from = from;
  path.to = to;
  path.scope = scope_of(platform, from, to);
  path.route = std::move(*route);
  path.terms.from_kind = platform.devices[from].kind;
  path.terms.to_kind = platform.devices[to].kind;
  path.terms.initiator = initiator;
  path.terms.fabric = &fabric;
  std::vector<Route> stripes;
  if (fabric.stripes_from && size >= *fabric.stripes_from && path.scope == Scope::between_nodes)
    stripes = topology.stripes(fabric, from, to, initiator);
  const bool is_striped = stripe(path, stripes);
  for (const auto& rule : fabric.rules)
    if (!path.terms.rule && matches(rule, path, platform))
      path.terms.rule = &rule;
  if (!path.terms.rule)
    return input_error(platform.file, "/fabrics/" + fabric.name + "/rules",
                       fmt::format("no rule fits \"{}\" to \"{}\" ({}, {} to {})", platform.devices[from].name,
                                   platform.devices[to].name, name_of(scope_names, path.scope),
                                   name_of(device_kind_names, path.terms.from_kind),
                                   name_of(device_kind_names, path.terms.to_kind)));
  path.memory = memory_of(path, platform, topology);
  if (path.terms.rule->moved_by_cores)
    for (const auto end : {path.from, path.to})
      if (const auto cache = topology.cache(end))
        path.caches.insert(path.caches.end(), 2, *cache); // into a buffer that both cores see, and out of it
  if (path.terms.rule->moved_by_cores && path.scope != Scope::between_nodes)
    path.domains = topology.domains(from);
  find_nics(path, is_striped ? stripes.front() : path.route, platform);
  for (const auto& adjustment : fabric.adjustments)
    path.terms.crossings.push_back(path.route.crossings(platform, adjustment.crosses));
  path.terms.latency = path.route.latency;
  if (fabric.fetch)
    path.terms.fetch = fetch_of(path, platform);
  path.terms.legs = path.route.legs();
  path.terms.has_links = !path.route.links.empty();
  path.worker = engines_of(path, platform);
  path.terms.has_engines = path.worker.has_value();
  return path;
}

std::optional<std::size_t> named_near(const Platform& platform, std::size_t device, std::string_view name) {
  const auto& node = platform.devices[device].node;
  for (std::size_t i = 0; i < platform.devices.size(); ++i)
    if (platform.devices[i].node == node && platform.devices[i].local_name() == name)
      return i;
  return std::nullopt;
}

Result<Way> make_way(const Platform& platform, Topology& topology, const Fabric& fabric, std::size_t from,
                     std::size_t to, Side initiator, Bytes size) {
  if (fabric.by_scope) {
    const auto scope = static_cast<std::size_t>(scope_of(platform, from, to));
    return make_way(platform, topology, *find_fabric(platform, (*fabric.by_scope)[scope]), from, to, initiator, size);
  }
  Way way;
  if (fabric.stages.empty()) {
    auto path = make_path(platform, topology, fabric, from, to, initiator, size);
    if (!path)
      return path.errors();
    way.stages.push_back(std::move(*path));
    return way;
  }
  way.chunk = fabric.chunk;
  const auto impossible = [&](std::size_t stage, const std::string& message) {
    return input_error(platform.file, fmt::format("/fabrics/{}/stages/{}", fabric.name, stage), message);
  };
  for (std::size_t i = 0; i < fabric.stages.size(); ++i) {
    const auto& stage = fabric.stages[i];
    if (!applies(stage, platform.devices[from].kind, platform.devices[to].kind))
      continue;
    const auto begin = device_of(stage.from, platform, from, to);
    const auto end = device_of(stage.to, platform, from, to);
    if (!begin || !end)
      return impossible(
          i, fmt::format("there is no device \"{}\" in the node of \"{}\"", begin ? stage.to.device : stage.from.device,
                         platform.devices[(begin ? stage.to : stage.from).side == Side::sender ? from : to].name));
    if (*begin == *end && (stage.from.device.empty() || stage.to.device.empty()))
      continue;
    if (!way.stages.empty() && way.stages.back().to != *begin)
      return impossible(
          i,
          mismatch(fmt::format("a stage that begins at \"{}\" for a message from \"{}\" to \"{}\"",
                               platform.devices[*begin].name, platform.devices[from].name, platform.devices[to].name),
                   fmt::format("\"{}\", where the stage before ends", platform.devices[way.stages.back().to].name)));
    auto path =
        make_path(platform, topology, *find_fabric(platform, stage.fabric), *begin, *end, stage.initiator, size);
    if (!path)
      return path.errors();
    if (const auto worker = stage.initiator == Side::sender ? *begin : *end; worker != from && worker != to) {
      path->worker = Worker{worker, WorkerKind::threads};
      path->terms.has_engines = false;
      path->terms.has_worker = true;
    }
    way.stages.push_back(std::move(*path));
  }
  if (way.stages.empty() || way.stages.front().from != from || way.stages.back().to != to)
    return input_error(platform.file, "/fabrics/" + fabric.name + "/stages",
                       fmt::format("the stages do not lead from \"{}\" to \"{}\"", platform.devices[from].name,
                                   platform.devices[to].name));
  return way;
}

} // namespace kakehashi
