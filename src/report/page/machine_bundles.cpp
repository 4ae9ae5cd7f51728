#include "report/page/machine_bundles.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace kakehashi {
namespace {

constexpr std::size_t least_bundle = 3; // devices

// A link as one of its ends sees it.
using Seen = std::tuple<std::size_t, std::string, double, double, bool>; // neighbour, kind, rates from it and to it

// What devices have to share to be drawn as one.
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

} // namespace

Machine bundled(const Machine& machine) {
  std::vector<std::size_t> first(machine.devices.size()); // of its bundle
  std::iota(first.begin(), first.end(), std::size_t{0});
  auto result = machine;
  for (const auto& [likeness, devices] : alike_devices(machine)) {
    if (devices.size() < least_bundle)
      continue;
    for (const auto device : devices)
      first[device] = devices.front();
    auto& bundle = result.devices[devices.front()];
    const auto& last = machine.devices[devices.back()].name;
    bundle.name += "-" + last.substr(last.find('.') + 1);
    bundle.count = devices.size();
  }
  result.links.clear();
  std::map<std::tuple<std::size_t, std::size_t, std::string, bool>, std::size_t> places; // of the links of bundles
  for (auto link : machine.links) {
    link.from = first[link.from];
    link.to = first[link.to];
    if (result.devices[link.from].count == 1 && result.devices[link.to].count == 1) {
      result.links.push_back(std::move(link));
      continue;
    }
    const auto [found, is_new] = places.try_emplace({link.from, link.to, link.kind, link.is_leg}, result.links.size());
    if (is_new) {
      result.links.push_back(std::move(link));
      continue;
    }
    auto& whole = result.links[found->second];
    ++whole.count;
    add(whole.forward_use, link.forward_use);
    add(whole.backward_use, link.backward_use);
  }
  std::vector<std::size_t> place(machine.devices.size()); // of those that are left
  std::vector<MachineDevice> devices;
  for (std::size_t i = 0; i < machine.devices.size(); ++i)
    if (first[i] == i) {
      place[i] = devices.size();
      devices.push_back(std::move(result.devices[i]));
    }
  result.devices = std::move(devices);
  for (auto& link : result.links) {
    link.from = place[link.from];
    link.to = place[link.to];
  }
  return result;
}

} // namespace kakehashi
