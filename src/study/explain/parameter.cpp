#include "study/explain/explanations.hpp"

#include "base/text.hpp"
#include "model/platform_fields.hpp"
#include "topology/capacity.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace kakehashi {
namespace {

using Found = std::map<std::string, Parameter>; // keys are place and name, so that each occurs once

void add(Found& found, Parameter parameter) {
  auto key = parameter.name();
  found.emplace(std::move(key), std::move(parameter));
}

// The kinds of cores whose value counts in fields that have a value for each kind.
struct EndKinds {
  std::optional<DeviceKind> sender;
  std::optional<DeviceKind> receiver;
};

// Finds objects in any platform: one, or several similar ones that change together.
using Finder = std::function<std::vector<Object>(Platform&)>;

// The numbers of a field that improve together; of numbers for kinds of devices only one.
struct Numbers {
  std::optional<DeviceKind> kind;

  std::vector<double*> operator()(const ValueText& text) const {
    return text.number ? std::vector{text.number} : std::vector<double*>();
  }
  std::vector<double*> operator()(double* number) const { return {number}; }
  std::vector<double*> operator()(const ByKind& values) const {
    return kind ? std::vector{values.texts[static_cast<std::size_t>(*kind)].number} : std::vector<double*>();
  }
  std::vector<double*> operator()(const Nested& value) const {
    std::vector<double*> numbers;
    if (!value.as_one.empty())
      for (const auto& field : value.object.fields)
        for (auto* number : std::visit(*this, field.value_in(value.object.owner)))
          numbers.push_back(number);
    return numbers;
  }
  template <class Other> std::vector<double*> operator()(const Other&) const { return {}; }
};

// Adds the fields of a table that have a better direction.
class FieldParameters {
public:
  // `now` is a copy of the platform, which the finder may change.
  FieldParameters(Found& found, Platform& now, std::string place, std::vector<Source> sources, EndKinds kinds = {})
      : found_(found), now_(now), place_(std::move(place)), sources_(std::move(sources)), kinds_(kinds) {}

  void add_all(const Finder& at, const std::string& prefix = "") const {
    const auto object = at(now_).front();
    for (const auto& field : object.fields)
      if (field.better != Better::neither && !field.is_usual_in(object.owner))
        add_field(at, object, field, prefix + std::string(field.name));
  }

private:
  Found& found_;
  Platform& now_;
  std::string place_;
  std::vector<Source> sources_;
  EndKinds kinds_;

  void add_field(const Finder& at, const Object& object, const Field& field, std::string what) const {
    const auto value = field.value_in(object.owner);
    if (const auto* nested = std::get_if<Nested>(&value); nested && nested->as_one.empty())
      return add_all(inside(at, field), what + "/");
    const auto kind = field.core == Side::receiver ? kinds_.receiver : kinds_.sender;
    const auto numbers = std::visit(Numbers{kind}, value);
    if (numbers.empty() || *numbers.front() <= 0)
      return;
    if (std::holds_alternative<ByKind>(value))
      what += fmt::format(" {}", name_of(device_kind_names, *kind));
    add(found_,
        {place_, std::move(what), field.better, sources_, [at, &field, kind](Platform& platform, double factor) {
           for (const auto& owner : at(platform))
             for (auto* number : std::visit(Numbers{kind}, field.value_in(owner.owner)))
               *number *= factor;
         }});
  }

  // Finds the objects in that field of other objects.
  static Finder inside(const Finder& at, const Field& field) {
    return [at, &field](Platform& platform) {
      std::vector<Object> objects;
      for (const auto& outer : at(platform))
        objects.push_back(std::get<Nested>(field.value_in(outer.owner)).object);
      return objects;
    };
  }
};

void add_rule(Found& found, Platform& now, const Platform& platform, const Path& path) {
  const auto f = static_cast<std::size_t>(path.terms.fabric - platform.fabrics.data());
  const auto r = static_cast<std::size_t>(path.terms.rule - path.terms.fabric->rules.data());
  const auto kinds = path.terms.fabric->one_sided ? EndKinds{path.terms.initiator_kind(), {}}
                                                  : EndKinds{path.terms.from_kind, path.terms.to_kind};
  for (std::size_t i = 0; i < path.terms.rule->regimes.size(); ++i)
    FieldParameters(found, now, fmt::format("/fabrics/{}/rules/{}/regimes/{}", path.terms.fabric->name, r, i),
                    {path.terms.rule->regimes[i].source}, kinds)
        .add_all([f, r, i](Platform& p) { return std::vector{object_of(p.fabrics[f].rules[r].regimes[i])}; });
}

void add_adjustments(Found& found, Platform& now, const Platform& platform, const Path& path) {
  const auto f = static_cast<std::size_t>(path.terms.fabric - platform.fabrics.data());
  for (std::size_t i = 0; i < path.terms.crossings.size(); ++i)
    if (path.terms.crossings[i] > 0)
      FieldParameters(found, now, fmt::format("/fabrics/{}/adjustments/{}", path.terms.fabric->name, i),
                      {path.terms.fabric->adjustments[i].source})
          .add_all([f, i](Platform& p) { return std::vector{object_of(p.fabrics[f].adjustments[i])}; });
}

// Similar links count as one parameter, since cables are bought in one kind.
bool alike(const Link& a, const Link& b) {
  const auto one = capacity_of(a);
  const auto other = capacity_of(b);
  return a.type == b.type && a.latency == b.latency && one.forward == other.forward && one.backward == other.backward;
}

// The bandwidth is treated as stated by each link, so it stands for the numbers of the data sheet.
void add_link(Found& found, Platform& now, const Platform& platform, std::size_t link) {
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
  const auto place = fmt::format("{} links of {} {} and {:.3g} us", name_of(like.type),
                                 four_digits(platform.rate_unit.of(like.bandwidth->forward)), platform.rate_unit.name(),
                                 in_microseconds(like.latency));
  FieldParameters(found, now, place, sources).add_all([group](Platform& p) {
    std::vector<Object> links;
    for (const auto i : group) {
      p.links[i].bandwidth = capacity_of(p.links[i]);
      links.push_back(object_of(p.links[i]));
    }
    return links;
  });
}

bool alike(const Device& a, const Device& b) {
  return a.kind == b.kind && a.cores == b.cores && a.message_rate == b.message_rate &&
         a.duplex_bandwidth == b.duplex_bandwidth && a.stage_threads == b.stage_threads &&
         a.dma_engines == b.dma_engines;
}

// Devices that are alike are one parameter, too: where all adapters are as busy, a better one alone helps nobody.
void add_device(Found& found, Platform& now, const Platform& platform, std::size_t device) {
  const auto& like = platform.devices[device];
  std::vector<std::size_t> group;
  for (std::size_t i = 0; i < platform.devices.size(); ++i)
    if (alike(platform.devices[i], like))
      group.push_back(i);
  const auto& name = platform.devices[group.front()].name;
  const auto place = group.size() == 1 ? name : fmt::format("{} and devices like it", name);
  FieldParameters(found, now, place, {}).add_all([group](Platform& p) {
    std::vector<Object> devices;
    for (const auto i : group)
      devices.push_back(object_of(p.devices[i]));
    return devices;
  });
}

// As with links: similar memories count as one parameter, and the bandwidth is treated as stated.
void add_memory(Found& found, Platform& now, const Platform& platform, std::size_t device) {
  const auto& like = platform.devices[device];
  std::vector<std::size_t> group;
  for (std::size_t i = 0; i < platform.devices.size(); ++i)
    if (platform.devices[i].kind == like.kind && platform.devices[i].memory == like.memory)
      group.push_back(i);
  const auto place =
      fmt::format("{} memories of {} {}", name_of(device_kind_names, like.kind),
                  four_digits(platform.rate_unit.of(bandwidth_of(*like.memory))), platform.rate_unit.name());
  FieldParameters(found, now, place, {like.memory->usual.value_or(like.memory->source)}).add_all([group](Platform& p) {
    std::vector<Object> memories;
    for (const auto i : group) {
      auto& memory = *p.devices[i].memory;
      memory.bandwidth = bandwidth_of(memory);
      memories.push_back(object_of(memory));
    }
    return memories;
  });
}

// Adds a size at which regimes change, for all rules of the fabric with such a border.
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
  auto now = platform;
  bool has_legs = false;
  std::vector<std::size_t> links, devices; // one of each group
  for (const auto* way : ways)
    for (const auto& path : way->stages) {
      add_rule(found, now, platform, path);
      add_adjustments(found, now, platform, path);
      for (const auto link : path.route.links)
        if (std::none_of(links.begin(), links.end(),
                         [&](std::size_t known) { return alike(platform.links[known], platform.links[link]); })) {
          links.push_back(link);
          add_link(found, now, platform, link);
        }
      has_legs = has_legs || (!path.route.links.empty() && path.route.channels.size() > path.route.links.size());
      if (path.from == path.to || !path.memory.empty())
        for (const auto end : {path.from, path.to})
          if (platform.devices[end].memory)
            add_memory(found, now, platform, end);
      for (const auto link : path.route.links)
        for (const auto device : {platform.links[link].from, platform.links[link].to})
          if (std::none_of(devices.begin(), devices.end(), [&](std::size_t known) {
                return alike(platform.devices[known], platform.devices[device]);
              })) {
            devices.push_back(device);
            add_device(found, now, platform, device);
          }
    }
  for (std::size_t i = 0; has_legs && i < platform.peer_limits.size(); ++i)
    FieldParameters(found, now, fmt::format("/peer_limits/{}", i), {platform.peer_limits[i].source})
        .add_all([i](Platform& p) { return std::vector{object_of(p.peer_limits[i])}; });
  return values_of(found);
}

std::vector<Parameter> library_parameters_of(const MpiSettings& settings) {
  const auto scale = [](auto& times, double factor) {
    if constexpr (requires { times.value; })
      times.value *= factor;
    else
      for (auto& time : times)
        time.value *= factor;
  };
  const auto time = [&](const char* what, auto member, auto usual) {
    return Parameter{library_place, what, Better::less, {settings.source}, [=](Platform& p, double factor) {
                       auto& stated = p.mpi.*member;
                       scale(stated.emplace(stated.value_or(usual)), factor);
                     }};
  };
  return {time("reduction", &MpiSettings::reduction, usual_reduction), time("copy", &MpiSettings::copy, usual_copy),
          time("copy_start", &MpiSettings::copy_start, usual_copy_start),
          time("gpu_copy_start", &MpiSettings::gpu_copy_start, usual_gpu_copy_start)};
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
