#include "study/parameter.hpp"

#include "base/digits.hpp"
#include "model/platform_fields.hpp"
#include "topology/capacity.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace kakehashi {
namespace {

using Found = std::map<std::string, Parameter>; // by place and name, so that each is there once

void scale(double& number, double factor) {
  number *= factor;
}
template <class Unit> void scale(Quantity<Unit>& quantity, double factor) {
  quantity.value *= factor;
}
void scale(Capacity& capacity, double factor) {
  scale(capacity.forward, factor);
  scale(capacity.backward, factor);
}

void add(Found& found, Parameter parameter) {
  auto key = parameter.name();
  found.emplace(std::move(key), std::move(parameter));
}

// Which of the values of a field per kind of endpoint count: that of whose core it is.
struct EndKinds {
  std::optional<DeviceKind> sender;
  std::optional<DeviceKind> receiver;
};

// Goes through a table of fields and adds those that can be had better. `at` finds their owners in any platform: one,
// or some that are alike and change together.
template <class Owner> class FieldParameters {
public:
  using Finder = std::function<std::vector<Owner*>(Platform&)>;
  FieldParameters(Found& found, std::string place, std::vector<Source> sources, Finder at, EndKinds kinds = {})
      : found_(&found), place_(std::move(place)), sources_(std::move(sources)), at_(std::move(at)), kinds_(kinds) {}

  void add_all(const Owner& now, const std::string& prefix = "") const {
    for (const auto& field : fields_of<Owner>())
      std::visit([&](auto member) { add_field(now, field, member, prefix + std::string(field.name)); }, field.member);
  }

private:
  Found* found_;
  std::string place_;
  std::vector<Source> sources_;
  Finder at_;
  EndKinds kinds_;

  template <class Value> void add_value(std::string what, Better better, std::function<Value&(Owner&)> value) const {
    add(*found_, {place_, std::move(what), better, sources_, [at = at_, value](Platform& platform, double factor) {
                    for (auto* owner : at(platform))
                      scale(value(*owner), factor);
                  }});
  }

  template <class Unit>
  void add_field(const Owner& now, const Field<Owner>& field, Quantity<Unit> Owner::*member, std::string what) const {
    if (field.better != Better::neither && (now.*member).value > 0)
      add_value<Quantity<Unit>>(std::move(what), field.better, std::mem_fn(member));
  }
  template <class Value>
  requires requires(Value& value) { scale(value, 1.0); }
  void add_field(const Owner& now, const Field<Owner>& field, std::optional<Value> Owner::*member,
                 std::string what) const {
    if (field.better != Better::neither && now.*member)
      add_value<Value>(std::move(what), field.better, [member](Owner& owner) -> Value& { return *(owner.*member); });
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
      FieldParameters<Alignment>(*found_, place_, sources_, [at = at_, member](Platform& p) {
        std::vector<Alignment*> alignments;
        for (auto* owner : at(p))
          alignments.push_back(&*(owner->*member));
        return alignments;
      }).add_all(*(now.*member), what + "/");
  }
  template <class Value> void add_field(const Owner&, const Field<Owner>&, Value Owner::*, const std::string&) const {}
};

void add_rule(Found& found, const Platform& platform, const Path& path) {
  const auto f = static_cast<std::size_t>(path.terms.fabric - platform.fabrics.data());
  const auto r = static_cast<std::size_t>(path.terms.rule - path.terms.fabric->rules.data());
  const auto kinds = path.terms.fabric->one_sided ? EndKinds{path.terms.initiator_kind(), {}}
                                                  : EndKinds{path.terms.from_kind, path.terms.to_kind};
  for (std::size_t i = 0; i < path.terms.rule->regimes.size(); ++i)
    FieldParameters<Regime>(
        found, fmt::format("/fabrics/{}/rules/{}/regimes/{}", path.terms.fabric->name, r, i),
        {path.terms.rule->regimes[i].source},
        [f, r, i](Platform& p) { return std::vector{&p.fabrics[f].rules[r].regimes[i]}; }, kinds)
        .add_all(path.terms.rule->regimes[i]);
}

void add_adjustments(Found& found, const Platform& platform, const Path& path) {
  const auto f = static_cast<std::size_t>(path.terms.fabric - platform.fabrics.data());
  for (std::size_t i = 0; i < path.terms.crossings.size(); ++i)
    if (path.terms.crossings[i] > 0)
      FieldParameters<Adjustment>(found, fmt::format("/fabrics/{}/adjustments/{}", path.terms.fabric->name, i),
                                  {path.terms.fabric->adjustments[i].source},
                                  [f, i](Platform& p) { return std::vector{&p.fabrics[f].adjustments[i]}; })
          .add_all(path.terms.fabric->adjustments[i]);
}

// Links that are alike belong together: nobody buys one half of a cable.
bool alike(const Link& a, const Link& b) {
  const auto one = capacity_of(a);
  const auto other = capacity_of(b);
  return a.type == b.type && a.latency == b.latency && one.forward == other.forward && one.backward == other.backward;
}

// The bandwidth counts as if each link stated it, so that it stands for what a data sheet gives.
void add_link(Found& found, const Platform& platform, std::size_t link) {
  auto like = platform.links[link];
  like.bandwidth = capacity_of(like);
  std::vector<std::size_t> group;
  std::vector<Source> sources;
  for (std::size_t i = 0; i < platform.links.size(); ++i) {
    if (!alike(platform.links[i], like))
      continue;
    group.push_back(i);
    const auto& source = platform.links[i].source;
    if (source && std::find(sources.begin(), sources.end(), *source) == sources.end())
      sources.push_back(*source);
  }
  const auto place = fmt::format("{} links of {} MB/s and {:.3g} us", name_of(like.type),
                                 four_digits(like.bandwidth->forward.value / 1e6), in_microseconds(like.latency));
  FieldParameters<Link>(found, place, sources, [group](Platform& p) {
    std::vector<Link*> links;
    for (const auto i : group) {
      p.links[i].bandwidth = capacity_of(p.links[i]);
      links.push_back(&p.links[i]);
    }
    return links;
  }).add_all(like);
}

// As for links: what is alike belongs together, and the bandwidth counts as if it were stated.
void add_memory(Found& found, const Platform& platform, std::size_t device) {
  const auto& like = platform.devices[device];
  std::vector<std::size_t> group;
  for (std::size_t i = 0; i < platform.devices.size(); ++i)
    if (platform.devices[i].kind == like.kind && platform.devices[i].memory == like.memory)
      group.push_back(i);
  const auto stated = [](const Device& of) {
    auto memory = of.memory.value_or(usual_memory(of.kind));
    memory.bandwidth = bandwidth_of(memory);
    return memory;
  };
  const auto memory = stated(like);
  const auto place = fmt::format("{} memories of {} MB/s", name_of(device_kind_names, like.kind),
                                 four_digits(memory.bandwidth->value / 1e6));
  FieldParameters<Memory>(found, place, {memory.source}, [group, stated](Platform& p) {
    std::vector<Memory*> memories;
    for (const auto i : group)
      memories.push_back(&p.devices[i].memory.emplace(stated(p.devices[i])));
    return memories;
  }).add_all(memory);
}

// The regimes on both sides of a size, in all rules of the fabric that have such a boundary.
void add_threshold(Found& found, std::size_t f, const Fabric& fabric, const Regime& below) {
  const auto size = *below.to;
  add(found, {"/fabrics/" + fabric.name,
              "threshold " + to_text(size),
              Better::neither,
              {below.source},
              [f, size](Platform& p, double factor) {
                for (auto& rule : p.fabrics[f].rules)
                  for (std::size_t i = 0; i + 1 < rule.regimes.size(); ++i) {
                    auto& lower = rule.regimes[i];
                    auto& upper = rule.regimes[i + 1];
                    if (lower.to != size)
                      continue;
                    const Bytes wanted{static_cast<std::uint64_t>(factor * static_cast<double>(size.count))};
                    const auto moved = std::clamp(wanted, lower.from, upper.to.value_or(wanted));
                    lower.to = moved;
                    upper.from = moved;
                  }
              }});
}

std::vector<Parameter> values_of(Found& found) {
  std::vector<Parameter> parameters;
  for (auto& [key, parameter] : found)
    parameters.push_back(std::move(parameter));
  return parameters;
}

} // namespace

void improve(const Parameter& parameter, Platform& platform, double share) {
  parameter.scale(platform, parameter.better == Better::less ? 1 / (1 + share) : 1 + share);
}

std::vector<Parameter> parameters_of(const Platform& platform, const std::vector<const Way*>& ways) {
  Found found;
  bool has_legs = false;
  std::vector<std::size_t> links; // one of each sort
  for (const auto* way : ways)
    for (const auto& path : way->stages) {
      add_rule(found, platform, path);
      add_adjustments(found, platform, path);
      for (const auto link : path.route.links)
        if (std::none_of(links.begin(), links.end(),
                         [&](std::size_t known) { return alike(platform.links[known], platform.links[link]); })) {
          links.push_back(link);
          add_link(found, platform, link);
        }
      has_legs = has_legs || (!path.route.links.empty() && path.route.channels.size() > path.route.links.size());
      if (path.from == path.to || !path.memory.empty())
        for (const auto end : {path.from, path.to})
          add_memory(found, platform, end);
      for (const auto link : path.route.links)
        for (const auto device : {platform.links[link].from, platform.links[link].to})
          FieldParameters<Device>(found, platform.devices[device].name, {}, [device](Platform& p) {
            return std::vector{&p.devices[device]};
          }).add_all(platform.devices[device]);
    }
  for (std::size_t i = 0; has_legs && i < platform.peer_limits.size(); ++i)
    FieldParameters<PeerLimit>(found, fmt::format("/peer_limits/{}", i), {platform.peer_limits[i].source},
                               [i](Platform& p) { return std::vector{&p.peer_limits[i]}; })
        .add_all(platform.peer_limits[i]);
  return values_of(found);
}

std::vector<Parameter> thresholds_of(const Platform& platform, const std::vector<const Way*>& ways) {
  Found found;
  for (const auto* way : ways)
    for (const auto& path : way->stages)
      for (const auto& regime : path.terms.rule->regimes)
        if (regime.to)
          add_threshold(found, static_cast<std::size_t>(path.terms.fabric - platform.fabrics.data()),
                        *path.terms.fabric, regime);
  return values_of(found);
}

} // namespace kakehashi
