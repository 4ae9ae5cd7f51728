#include "input/platform/part_readers.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace kakehashi {
namespace {

using nlohmann::json;

// Returns the kinds of devices on which ranks can run that the platform has.
std::set<DeviceKind> endpoint_kinds(const Platform& platform) {
  std::set<DeviceKind> kinds;
  for (const auto& device : platform.devices)
    if (can_run_ranks(device.kind))
      kinds.insert(device.kind);
  return kinds;
}

// Checks that regimes cover every size from 0 once.
void check_sizes(const std::vector<Regime>& regimes, const json& list, const std::string& place,
                 const FieldContext& context, Faults& faults) {
  const auto is_read = [&](const json& size) { return size_of(size, context).has_value(); };
  for (const auto& regime : list)
    if (!is_read(regime["from"]) || (regime.contains("to") && !is_read(regime["to"])))
      return; // it has a fault already, without which its neighbours cannot be checked
  for (std::size_t i = 0; i < regimes.size(); ++i) {
    const auto& regime = regimes[i];
    const auto at = pointer_to(place, i);
    if (regime.to && *regime.to <= regime.from)
      faults.add(at + "/to", mismatch(show(list[i]["to"]), "a size above \"from\", which is " + to_text(regime.from)));
    if (i == 0) {
      if (regime.from.count != 0)
        faults.add(at + "/from", mismatch(show(list[i]["from"]) + ", which leaves a hole from 0 B on", "\"0 B\""));
      continue;
    }
    const auto& before = regimes[i - 1];
    if (before.to && *before.to <= before.from)
      continue; // it has a fault already
    if (!before.to || regime.from < *before.to)
      faults.add(at + "/from", mismatch(show(list[i]["from"]) + ", which overlaps the regime before",
                                        before.to ? in_quotes(to_text(*before.to)) : "a \"to\" in the regime before"));
    else if (regime.from > *before.to)
      faults.add(at + "/from", mismatch(show(list[i]["from"]) + ", which leaves a hole after the regime before",
                                        in_quotes(to_text(*before.to))));
  }
  if (regimes.back().to)
    faults.add(pointer_to(place, regimes.size() - 1) + "/to",
               mismatch(show(list.back()["to"]) + ", which leaves a hole above it", "no \"to\" in the last regime"));
}

bool hides(const Rule& earlier, const Rule& later) {
  const auto wider = [](const auto& a, const auto& b) { return !a || a == b; };
  const auto reversed = [](std::optional<std::array<DeviceKind, 2>> kinds) {
    if (kinds)
      std::swap((*kinds)[0], (*kinds)[1]);
    return kinds;
  };
  return wider(earlier.scope, later.scope) && wider(earlier.crosses, later.crosses) &&
         wider(earlier.from, later.from) && wider(earlier.to, later.to) && wider(earlier.initiator, later.initiator) &&
         (wider(earlier.between, later.between) || wider(earlier.between, reversed(later.between)));
}

void check_crosses(const json& object, const Fabric& fabric, const std::string& place, std::optional<LinkType> crosses,
                   Faults& faults) {
  if (crosses && std::find(fabric.links.begin(), fabric.links.end(), *crosses) == fabric.links.end())
    faults.add(place + "/crosses", mismatch(show(object["crosses"]), "one of the fabric's link types"));
}

void read_rules(const json& list, const std::string& place, Fabric& fabric, const FieldContext& context,
                Faults& faults) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto at = pointer_to(place, i);
    Rule rule;
    rule.moved_by_cores = fabric.moved_by_cores;
    rule = read_fields(list[i], at, context, faults, rule);
    check_crosses(list[i], fabric, at, rule.crosses, faults);
    if (rule.copies != 1 && !rule.moved_by_cores)
      faults.add(at + "/copies", mismatch("copies of what links carry", "a rule that is moved_by_cores"));
    if (rule.scope == Scope::inside_device && rule.crosses && !fabric.loop_back)
      faults.add(at + "/crosses", "this rule can never apply, because no path inside a device crosses a link");
    if (rule.scope == Scope::inside_device && rule.between && (*rule.between)[0] != (*rule.between)[1])
      faults.add(at + "/between", "this rule can never apply, because a path inside a device has one kind of endpoint");
    Regime like;
    if (list[i].contains("source"))
      like.source = read_source(list[i]["source"], at + "/source", faults);
    const json& regimes = list[i]["regimes"];
    for (std::size_t j = 0; j < regimes.size(); ++j)
      rule.regimes.push_back(read_fields(regimes[j], pointer_to(at + "/regimes", j), context, faults, like));
    check_sizes(rule.regimes, regimes, at + "/regimes", context, faults);
    for (std::size_t j = 0; j < i; ++j)
      if (hides(fabric.rules[j], rule)) {
        faults.add(
            at, fmt::format("this rule can never apply, because {} matches all that it matches", pointer_to(place, j)));
        break;
      }
    fabric.rules.push_back(std::move(rule));
  }
}

void read_adjustments(const json& list, const std::string& place, Fabric& fabric, Faults& faults) {
  std::vector<std::string> amounts;
  for (const auto& field : fields_of<Adjustment>())
    if (field.better != Better::neither)
      amounts.emplace_back(field.name);
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto at = pointer_to(place, i);
    const auto adjustment = read_fields<Adjustment>(list[i], at, {}, faults);
    check_crosses(list[i], fabric, at, adjustment.crosses, faults);
    const auto is_stated = [&](const std::string& amount) { return list[i].contains(amount); };
    if (std::none_of(amounts.begin(), amounts.end(), is_stated))
      faults.add(at, fmt::format("this adjustment adds nothing; expected \"{}\" or \"{}\"",
                                 fmt::join(amounts.begin(), amounts.end() - 1, "\", \""), amounts.back()));
    fabric.adjustments.push_back(adjustment);
  }
}

void check_links(const json& list, const std::string& place, const Platform& platform, const Fabric& fabric,
                 Faults& faults) {
  std::set<LinkType> seen;
  for (std::size_t i = 0; i < fabric.links.size(); ++i) {
    const auto has_type = [&](const Link& link) { return link.type == fabric.links[i]; };
    if (!seen.insert(fabric.links[i]).second)
      faults.add(pointer_to(place, i), mismatch(show(list[i]) + " twice", "each only once"));
    else if (std::none_of(platform.links.begin(), platform.links.end(), has_type))
      faults.add(pointer_to(place, i), mismatch(show(list[i]), "the type of a link that the platform has"));
  }
}

void check_gateways(const json& list, const std::string& place, const Platform& platform, Faults& faults) {
  std::vector<std::string> locals;
  for (const auto& device : platform.devices)
    if (device.node)
      locals.emplace_back(device.local_name());
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto name = list[i].get<std::string>();
    if (std::find(locals.begin(), locals.end(), name) == locals.end())
      faults.add(pointer_to(place, i),
                 mismatch(show(list[i]) + ", which no node has", "the name of a device in a node"),
                 closest(name, locals));
  }
}

// Checks that fabrics have the gateways that their messages pass, and that cores do not move these messages.
void check_gateway_uses(const std::string& place, const Fabric& fabric, Faults& faults) {
  if (fabric.loop_back && fabric.gateways.empty())
    faults.add(place + "/loop_back", mismatch("no gateways", "at least one, through which messages come back"));
  if (fabric.loop_back && std::ranges::any_of(fabric.rules, &Rule::moved_by_cores))
    faults.add(place + "/loop_back", mismatch("a rule with moved_by_cores", "rules whose messages pass a gateway"));
  if (fabric.stripes_from && fabric.gateways.size() < 2)
    faults.add(place + "/stripes_from", mismatch(counted(fabric.gateways.size(), "gateway"), "two or more"));
}

FieldContext read_context(const json& body, const std::string& place, const Platform& platform, Faults& faults) {
  FieldContext context{{}, endpoint_kinds(platform)};
  if (body.contains("thresholds"))
    for (const auto& [name, size] : body["thresholds"].items())
      if (const auto read = read_quantity(size, pointer_to(place + "/thresholds", name), bytes_text, faults))
        context.thresholds.emplace(name, *read);
  return context;
}

// A fabric has links and rules, stages, or a fabric for each scope.
Fabric read_fabric(const std::string& name, const json& body, const Platform& platform, bool machine_is_whole,
                   Faults& faults) {
  static const json none = json::array();
  const auto list_in = [&](const char* key) -> const json& { return body.contains(key) ? body[key] : none; };
  const auto at = pointer_to("/fabrics", name);
  auto fabric = read_fields<Fabric>(body, at, {}, faults);
  fabric.name = name;
  check_name(name, at, faults);
  for (const std::string form : {"by_scope", "stages"}) {
    if (!body.contains(form))
      continue;
    for (const auto& [key, value] : body.items())
      if (key != form && key != "description" && !(form == "stages" && key == "pipeline"))
        faults.add(pointer_to(at, key), fmt::format("a fabric with {} does not take this key", form));
    if (form == "stages")
      read_stages(body, at, fabric, faults);
    else
      read_by_scope(body, fabric);
    return fabric;
  }
  for (const char* key : {"links", "rules"})
    if (!body.contains(key))
      faults.add(at, fmt::format("the key {} is missing", in_quotes(key)));
  if (body.contains("pipeline"))
    faults.add(at + "/pipeline", "a fabric without stages does not take this key");
  for (const auto& type : list_in("links"))
    fabric.links.push_back(*find_link_type(type.get<std::string>()));
  for (const auto& gateway : list_in("gateways"))
    fabric.gateways.push_back(gateway.get<std::string>());
  if (machine_is_whole) {
    check_links(list_in("links"), at + "/links", platform, fabric, faults);
    check_gateways(list_in("gateways"), at + "/gateways", platform, faults);
  }
  read_rules(list_in("rules"), at + "/rules", fabric, read_context(body, at, platform, faults), faults);
  read_adjustments(list_in("adjustments"), at + "/adjustments", fabric, faults);
  check_gateway_uses(at, fabric, faults);
  return fabric;
}

} // namespace

void read_fabrics(const json& root, Platform& platform, Faults& faults) {
  const bool machine_is_whole = faults.empty();
  for (const auto& [name, body] : root["fabrics"].items())
    platform.fabrics.push_back(read_fabric(name, body, platform, machine_is_whole, faults));
  check_stages(root["fabrics"], platform, faults);
  check_by_scope(platform, faults);
}

void read_stages(const nlohmann::json& body, const std::string& place, Fabric& fabric, Faults& faults) {
  const auto& list = body["stages"];
  for (std::size_t i = 0; i < list.size(); ++i)
    fabric.stages.push_back(read_fields<Stage>(list[i], pointer_to(place + "/stages", i), {}, faults));
}

void read_by_scope(const nlohmann::json& body, Fabric& fabric) {
  fabric.by_scope.emplace();
  for (std::size_t i = 0; i < scope_count; ++i)
    (*fabric.by_scope)[i] = body["by_scope"][std::string(scope_names[i])].get<std::string>();
}

void check_stages(const nlohmann::json& fabrics, const Platform& platform, Faults& faults) {
  std::vector<std::string> plain;
  for (const auto& fabric : platform.fabrics)
    if (fabric.stages.empty() && !fabric.by_scope)
      plain.push_back(fabric.name);
  for (const auto& fabric : platform.fabrics)
    for (std::size_t i = 0; i < fabric.stages.size(); ++i) {
      const auto at = pointer_to(pointer_to("/fabrics", fabric.name) + "/stages", i);
      const auto& stage = fabric.stages[i];
      if (std::find(plain.begin(), plain.end(), stage.fabric) == plain.end())
        faults.add(at + "/fabric",
                   mismatch(show(fabrics[fabric.name]["stages"][i]["fabric"]), "a fabric of this platform with rules"),
                   closest(stage.fabric, plain));
      for (const auto* end : {&stage.from, &stage.to})
        if (!end->device.empty() &&
            std::none_of(platform.devices.begin(), platform.devices.end(),
                         [&](const Device& device) { return device.node && device.local_name() == end->device; }))
          faults.add(at + (end == &stage.from ? "/from" : "/to"),
                     mismatch(in_quotes(end->device) + ", which no node has", "the name of a device in a node"));
    }
}

void check_by_scope(const Platform& platform, Faults& faults) {
  std::vector<std::string> others;
  for (const auto& fabric : platform.fabrics)
    if (!fabric.by_scope)
      others.push_back(fabric.name);
  for (const auto& fabric : platform.fabrics)
    for (std::size_t i = 0; fabric.by_scope && i < scope_count; ++i)
      if (const auto& name = (*fabric.by_scope)[i]; std::find(others.begin(), others.end(), name) == others.end())
        faults.add(pointer_to(pointer_to("/fabrics", fabric.name) + "/by_scope", std::string(scope_names[i])),
                   mismatch(in_quotes(name), "a fabric of this platform with rules or stages"), closest(name, others));
}

} // namespace kakehashi
