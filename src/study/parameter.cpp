#include "study/parameter.hpp"

#include "model/platform_fields.hpp"
#include "topology/capacity.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace kakehashi {
namespace {

using Found = std::map<std::string, Parameter>; // by place and name, so that each is there once

template <class Unit> double& number_in(Quantity<Unit>& quantity) {
  return quantity.value;
}
double& number_in(double& number) {
  return number;
}
template <class Value> void shorten(Value& value, double share) {
  number_in(value) /= 1 + share;
}
template <class Value> void raise(Value& value, double share) {
  number_in(value) *= 1 + share;
}

void add(Found& found, std::string place, std::string what, std::function<void(Platform&, double)> improve) {
  const auto key = place + " " + what;
  found.emplace(key, Parameter{std::move(place), std::move(what), std::move(improve)});
}

// Which of the values of a field per kind of endpoint count: that of whose core it is.
struct EndKinds {
  std::optional<DeviceKind> sender;
  std::optional<DeviceKind> receiver;
};

// Goes through a table of fields and adds those that can be had better. `at` finds their owner in any platform.
template <class Owner> class FieldParameters {
public:
  using Finder = std::function<Owner&(Platform&)>;
  FieldParameters(Found& found, std::string place, Finder at, EndKinds kinds = {})
      : found_(&found), place_(std::move(place)), at_(std::move(at)), kinds_(kinds) {}

  void add_all(const Owner& now, std::span<const Field<Owner>> fields, const std::string& prefix = "") const {
    for (const auto& field : fields)
      std::visit([&](auto member) { add_field(now, field, member, prefix + std::string(field.name)); }, field.member);
  }

private:
  Found* found_;
  std::string place_;
  Finder at_;
  EndKinds kinds_;

  template <class Value> void add_value(std::string what, Better better, std::function<Value&(Owner&)> value) const {
    add(*found_, place_, std::move(what), [at = at_, better, value](Platform& platform, double share) {
      (better == Better::more ? raise<Value> : shorten<Value>)(value(at(platform)), share);
    });
  }

  template <class Unit>
  void add_field(const Owner& now, const Field<Owner>& field, Quantity<Unit> Owner::*member, std::string what) const {
    if (field.better != Better::neither && (now.*member).value > 0)
      add_value<Quantity<Unit>>(std::move(what), field.better, std::mem_fn(member));
  }
  template <class Unit>
  void add_field(const Owner& now, const Field<Owner>& field, std::optional<Quantity<Unit>> Owner::*member,
                 std::string what) const {
    if (field.better != Better::neither && now.*member)
      add_value<Quantity<Unit>>(std::move(what), field.better,
                                [member](Owner& owner) -> Quantity<Unit>& { return *(owner.*member); });
  }
  void add_field(const Owner& now, const Field<Owner>& field, double Owner::*member, std::string what) const {
    if (field.better != Better::neither && now.*member != Owner{}.*member)
      add_value<double>(std::move(what), field.better, std::mem_fn(member));
  }
  template <class Unit>
  void add_field(const Owner& now, const Field<Owner>& field, PerKind<Quantity<Unit>> Owner::*member,
                 const std::string& what) const {
    const auto kind = field.core == Side::receiver ? kinds_.receiver : kinds_.sender;
    if (kind && of_kind(now.*member, *kind).value > 0)
      add_value<Quantity<Unit>>(fmt::format("{} {}", what, name_of(device_kind_names, *kind)), field.better,
                                [member, k = static_cast<std::size_t>(*kind)](Owner& owner) -> Quantity<Unit>& {
                                  return (owner.*member)[k];
                                });
  }
  void add_field(const Owner& now, const Field<Owner>&, std::optional<Alignment> Owner::*member,
                 const std::string& what) const {
    if (now.*member)
      FieldParameters<Alignment>(*found_, place_, [at = at_, member](Platform& p) -> Alignment& {
        return *(at(p).*member);
      }).add_all(*(now.*member), alignment_fields(), what + "/");
  }
  template <class Value> void add_field(const Owner&, const Field<Owner>&, Value Owner::*, const std::string&) const {}
};

void add_rule(Found& found, const Platform& platform, const Path& path) {
  const auto f = static_cast<std::size_t>(path.fabric - platform.fabrics.data());
  const auto r = static_cast<std::size_t>(path.rule - path.fabric->rules.data());
  const auto kinds =
      path.fabric->one_sided ? EndKinds{path.initiator_kind(), {}} : EndKinds{path.from_kind, path.to_kind};
  for (std::size_t i = 0; i < path.rule->regimes.size(); ++i)
    FieldParameters<Regime>(
        found, fmt::format("/fabrics/{}/rules/{}/regimes/{}", path.fabric->name, r, i),
        [f, r, i](Platform& p) -> Regime& { return p.fabrics[f].rules[r].regimes[i]; }, kinds)
        .add_all(path.rule->regimes[i], regime_fields());
}

void add_adjustments(Found& found, const Platform& platform, const Path& path) {
  const auto f = static_cast<std::size_t>(path.fabric - platform.fabrics.data());
  for (std::size_t i = 0; i < path.crossings.size(); ++i)
    if (path.crossings[i] > 0)
      FieldParameters<Adjustment>(found, fmt::format("/fabrics/{}/adjustments/{}", path.fabric->name, i),
                                  [f, i](Platform& p) -> Adjustment& { return p.fabrics[f].adjustments[i]; })
          .add_all(path.fabric->adjustments[i], adjustment_fields());
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
  const auto place = fmt::format("{} links of {:.4g} MB/s and {:.3g} us", name_of(like.type),
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
    FieldParameters<PeerLimit>(found, fmt::format("/peer_limits/{}", i), [i](Platform& p) -> PeerLimit& {
      return p.peer_limits[i];
    }).add_all(platform.peer_limits[i], peer_limit_fields());
  std::vector<Parameter> parameters;
  for (auto& [key, parameter] : found)
    parameters.push_back(std::move(parameter));
  return parameters;
}

} // namespace kakehashi
