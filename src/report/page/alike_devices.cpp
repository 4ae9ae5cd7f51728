#include "report/page/machine_drawing.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace kakehashi {
namespace {

constexpr std::size_t least_alike = 3; // number of devices that are drawn as one

// A link as one of its ends sees it.
// Neighbour, kind, rate from this end and to it.
using Seen = std::tuple<std::size_t, std::string, double, double, bool>;

// The properties that devices must share to be drawn as one.
struct Likeness {
  std::size_t node = 0;
  std::string kind;
  std::vector<Seen> links;
  auto operator<=>(const Likeness&) const = default;
};

std::map<Likeness, std::vector<std::size_t>> alike_devices(const Machine& machine) {
  std::vector<std::vector<Seen>> seen(machine.devices.size());
  for (const auto& link : machine.links) {
    const double forward = link.forward.value, backward = link.backward.value;
    seen[link.from].push_back({link.to, link.kind, forward, backward, link.is_leg});
    seen[link.to].push_back({link.from, link.kind, backward, forward, link.is_leg});
  }
  std::map<Likeness, std::vector<std::size_t>> alike;
  for (std::size_t i = 0; i < machine.devices.size(); ++i) {
    const auto& device = machine.devices[i];
    if (!device.node || !device.ranks.empty() || device.kind == "cpu" || seen[i].empty())
      continue;
    std::ranges::sort(seen[i]);
    alike[{*device.node, device.kind, std::move(seen[i])}].push_back(i);
  }
  return alike;
}

void add(std::optional<MachineUse>& sum, const std::optional<MachineUse>& more) {
  if (more)
    sum = sum ? MachineUse{sum->bytes + more->bytes, std::max(sum->busy, more->busy)} : more;
}

// Returns for each device the first one of those alike, which gets the name and count of all.
std::vector<std::size_t> join_devices(const Machine& machine, std::vector<MachineDevice>& devices) {
  std::vector<std::size_t> first(devices.size());
  std::iota(first.begin(), first.end(), std::size_t{0});
  for (const auto& [likeness, alike] : alike_devices(machine)) {
    if (alike.size() < least_alike)
      continue;
    for (const auto device : alike) {
      first[device] = alike.front();
      if (device != alike.front())
        add(devices[alike.front()].memory, devices[device].memory);
    }
    const auto& last = machine.devices[alike.back()].name;
    devices[alike.front()].name += "-" + last.substr(last.find('.') + 1);
    devices[alike.front()].count = alike.size();
  }
  return first;
}

// Joins the links from devices that are drawn as one to one neighbour.
std::vector<MachineLink> join_links(const Machine& machine, const std::vector<std::size_t>& first,
                                    const std::vector<MachineDevice>& devices) {
  std::vector<MachineLink> links;
  std::map<std::tuple<std::size_t, std::size_t, std::string, bool>, std::size_t> places;
  for (auto link : machine.links) {
    link.from = first[link.from];
    link.to = first[link.to];
    const bool is_joined = devices[link.from].count > 1 || devices[link.to].count > 1;
    const auto place =
        is_joined ? places.try_emplace({link.from, link.to, link.kind, link.is_leg}, links.size()).first->second
                  : links.size();
    if (place == links.size()) {
      links.push_back(std::move(link));
      continue;
    }
    auto& whole = links[place];
    ++whole.count;
    add(whole.forward_use, link.forward_use);
    add(whole.backward_use, link.backward_use);
  }
  return links;
}

// Removes all devices that are drawn as one but the first.
void drop_others(Machine& machine, const std::vector<std::size_t>& first) {
  std::vector<std::size_t> place(first.size()); // among the devices that remain
  std::vector<MachineDevice> devices;
  for (std::size_t i = 0; i < first.size(); ++i)
    if (first[i] == i) {
      place[i] = devices.size();
      devices.push_back(std::move(machine.devices[i]));
    }
  machine.devices = std::move(devices);
  for (auto& link : machine.links) {
    link.from = place[link.from];
    link.to = place[link.to];
  }
}

} // namespace

Machine with_alike_as_one(const Machine& machine) {
  auto result = machine;
  const auto first = join_devices(machine, result.devices);
  result.links = join_links(machine, first, result.devices);
  drop_others(result, first);
  return result;
}

} // namespace kakehashi
