#include "study/parameter.hpp"

#include "topology/capacity.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace kakehashi {
namespace {

using Found = std::map<std::string, Parameter>; // by place and name, so that each is there once

template <class Quantity> void shorten(Quantity& quantity, double share) {
  quantity.value /= 1 + share;
}

void add(Found& found, std::string place, std::string what, std::function<void(Platform&, double)> improve) {
  const auto key = place + " " + what;
  found.emplace(key, Parameter{std::move(place), std::move(what), std::move(improve)});
}

// The times of a regime that are the same for all kinds of endpoints.
void add_regime(Found& found, const Platform& platform, std::size_t f, std::size_t r, std::size_t i) {
  const auto& regime = platform.fabrics[f].rules[r].regimes[i];
  const auto place = fmt::format("/fabrics/{}/rules/{}/regimes/{}", platform.fabrics[f].name, r, i);
  const auto at = [f, r, i](Platform& changed) -> Regime& { return changed.fabrics[f].rules[r].regimes[i]; };
  if (regime.setup.value > 0)
    add(found, place, "setup", [at](Platform& p, double share) { shorten(at(p).setup, share); });
  if (regime.gap.value > 0)
    add(found, place, "gap", [at](Platform& p, double share) { shorten(at(p).gap, share); });
  if (regime.cap)
    add(found, place, "cap", [at](Platform& p, double share) { at(p).cap->value *= 1 + share; });
  if (regime.alignment)
    add(found, place, "alignment/penalty",
        [at](Platform& p, double share) { shorten(at(p).alignment->penalty, share); });
}

template <class Quantity>
void add_per_kind(Found& found, const std::string& place, const char* what, PerKind<Quantity> Regime::*field,
                  DeviceKind kind, std::size_t f, std::size_t r, std::size_t i, const Platform& platform) {
  const auto k = static_cast<std::size_t>(kind);
  if ((platform.fabrics[f].rules[r].regimes[i].*field)[k].value > 0)
    add(found, place, fmt::format("{} {}", what, name_of(device_kind_names, kind)),
        [=](Platform& p, double share) { shorten((p.fabrics[f].rules[r].regimes[i].*field)[k], share); });
}

void add_rule(Found& found, const Platform& platform, const Path& path) {
  const auto f = static_cast<std::size_t>(path.fabric - platform.fabrics.data());
  const auto r = static_cast<std::size_t>(path.rule - path.fabric->rules.data());
  const bool one_sided = path.fabric->one_sided;
  for (std::size_t i = 0; i < path.rule->regimes.size(); ++i) {
    const auto place = fmt::format("/fabrics/{}/rules/{}/regimes/{}", path.fabric->name, r, i);
    add_regime(found, platform, f, r, i);
    const auto sender = one_sided ? path.initiator_kind() : path.from_kind;
    add_per_kind(found, place, "o_send", &Regime::send_overhead, sender, f, r, i, platform);
    add_per_kind(found, place, "per_byte_send", &Regime::send_per_byte, sender, f, r, i, platform);
    if (one_sided)
      continue;
    add_per_kind(found, place, "o_recv", &Regime::receive_overhead, path.to_kind, f, r, i, platform);
    add_per_kind(found, place, "per_byte_recv", &Regime::receive_per_byte, path.to_kind, f, r, i, platform);
  }
}

void add_adjustments(Found& found, const Platform& platform, const Path& path) {
  const auto f = static_cast<std::size_t>(path.fabric - platform.fabrics.data());
  for (std::size_t i = 0; i < path.crossings.size(); ++i) {
    if (path.crossings[i] == 0)
      continue;
    const auto place = fmt::format("/fabrics/{}/adjustments/{}", path.fabric->name, i);
    const auto at = [f, i](Platform& p) -> Adjustment& { return p.fabrics[f].adjustments[i]; };
    const auto& adjustment = path.fabric->adjustments[i];
    if (adjustment.latency.value > 0)
      add(found, place, "latency", [at](Platform& p, double share) { shorten(at(p).latency, share); });
    if (adjustment.overhead.value > 0)
      add(found, place, "overhead", [at](Platform& p, double share) { shorten(at(p).overhead, share); });
    if (adjustment.gap.value > 0)
      add(found, place, "gap", [at](Platform& p, double share) { shorten(at(p).gap, share); });
    if (adjustment.copy_factor > 1)
      add(found, place, "copy_factor", [at](Platform& p, double share) { at(p).copy_factor /= 1 + share; });
  }
}

// Links that are alike belong together: nobody buys one half of a cable.
bool alike(const Link& a, const Link& b) {
  const auto one = capacity_of(a);
  const auto other = capacity_of(b);
  return a.type == b.type && a.latency == b.latency && one.forward == other.forward && one.backward == other.backward;
}

void add_link(Found& found, const Platform& platform, std::size_t link) {
  const auto& like = platform.links[link];
  std::vector<std::size_t> group;
  for (std::size_t i = 0; i < platform.links.size(); ++i)
    if (alike(platform.links[i], like))
      group.push_back(i);
  const auto place = fmt::format("{} links of {:.4g} MB/s and {:.3g} us", name_of(link_type_names, like.type),
                                 capacity_of(like).forward.value / 1e6, in_microseconds(like.latency));
  if (like.latency.value > 0)
    add(found, place, "latency", [group](Platform& p, double share) {
      for (const auto i : group)
        shorten(p.links[i].latency, share);
    });
  add(found, place, "bandwidth", [group](Platform& p, double share) {
    for (const auto i : group) {
      const auto capacity = capacity_of(p.links[i]);
      p.links[i].bandwidth = BytesPerSecond{(1 + share) * capacity.forward.value};
      p.links[i].bandwidth_back = BytesPerSecond{(1 + share) * capacity.backward.value};
    }
  });
}

} // namespace

std::vector<Parameter> parameters_of(const Platform& platform, const std::vector<const Chain*>& chains) {
  Found found;
  bool has_legs = false;
  std::vector<std::size_t> links; // one of each sort
  for (const auto* chain : chains)
    for (const auto& path : chain->stages) {
      add_rule(found, platform, path);
      add_adjustments(found, platform, path);
      for (const auto link : path.route.links)
        if (std::none_of(links.begin(), links.end(),
                         [&](std::size_t known) { return alike(platform.links[known], platform.links[link]); })) {
          links.push_back(link);
          add_link(found, platform, link);
        }
      has_legs = has_legs || path.route.channels.size() > path.route.links.size();
      if (path.from == path.to && platform.devices[path.from].memory_bandwidth)
        add(found, platform.devices[path.from].name, "memory_bandwidth",
            [from = path.from](Platform& p, double share) { p.devices[from].memory_bandwidth->value *= 1 + share; });
    }
  for (std::size_t i = 0; has_legs && i < platform.peer_limits.size(); ++i)
    add(found, fmt::format("/peer_limits/{}", i), "rate",
        [i](Platform& p, double share) { p.peer_limits[i].rate.value *= 1 + share; });
  std::vector<Parameter> parameters;
  for (auto& [key, parameter] : found)
    parameters.push_back(std::move(parameter));
  return parameters;
}

} // namespace kakehashi
