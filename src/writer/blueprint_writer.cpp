#include "writer/export_writer.hpp"

#include "writer/json_values.hpp"
#include "writer/platform_writer.hpp"

#include <fmt/format.h>

namespace kakehashi {
namespace {

std::string rate_text(BytesPerSecond rate) {
  return rate.value >= 1e9 ? fmt::format("{:.5g} GB/s", rate.value / 1e9)
                           : fmt::format("{:.5g} MB/s", rate.value / 1e6);
}

// Adds the data-sheet fields that the type takes.
void add_rating(const LinkType type, const LinkRating& rating, Json& json) {
  for (const auto field : row_of(type).takes)
    if (field == "transfers" && rating.transfers)
      json["transfers"] = fmt::format("{:.4g} GT/s", rating.transfers->value / 1e9);
    else if (field == "generation" && rating.generation)
      json["generation"] = *rating.generation;
    else if (field == "lanes" && rating.lanes)
      json["lanes"] = *rating.lanes;
    else if (field == "signalling" && rating.signalling)
      json["signalling"] = infiniband_rates()[*rating.signalling].name;
    else if (field == "line_rate" && rating.line_rate)
      json["line_rate"] = fmt::format("{:.6g} Gbit/s", rating.line_rate->value * 8 / 1e9);
}

Json to_json(const MemoryPart& part) {
  Json json{{"name", part.name}, {"size", to_text(part.size)}};
  if (part.bandwidth) {
    json["bandwidth"] = rate_text(*part.bandwidth);
  } else {
    json["channels"] = *part.channels;
    json["transfers"] = fmt::format("{:.4g} GT/s", part.transfers->value / 1e9);
  }
  json["source"] = to_json(part.source);
  return json;
}

Json to_json(const PlannedDevice& device) {
  Json json{{"name", device.name}, {"kind", name_of(device_kind_names, device.kind)}};
  if (!device.model.empty())
    json["model"] = device.model;
  if (device.cores > 0)
    json["cores"] = device.cores;
  if (device.numa_domains > 1)
    json["numa_domains"] = device.numa_domains;
  if (device.duplex_bandwidth)
    json["duplex_bandwidth"] = rate_text(*device.duplex_bandwidth);
  if (const auto& memory = device.memory) {
    auto& own = json["memory"];
    if (memory->bandwidth)
      own["bandwidth"] = rate_text(*memory->bandwidth);
    if (memory->channels) {
      own["channels"] = *memory->channels;
      own["transfers"] = fmt::format("{:.4g} GT/s", memory->transfers->value / 1e9);
    }
    if (memory->cache)
      own["cache"] = to_text(*memory->cache);
    if (memory->cache_domain > 0)
      own["cache_domain"] = memory->cache_domain;
    if (memory->domain_rate)
      own["domain_rate"] = rate_text(*memory->domain_rate);
    if (memory->size)
      own["size"] = to_text(*memory->size);
    own["source"] = to_json(memory->source);
  }
  if (const auto& compute = device.compute) {
    auto& own = json["compute"];
    for (const auto& [key, speed] :
         {std::pair("fp32", compute->fp32), std::pair("fp16", compute->fp16), std::pair("fp8", compute->fp8),
          std::pair("fp16_reached", compute->fp16_reached), std::pair("fp8_reached", compute->fp8_reached)})
      if (speed)
        own[key] = fmt::format("{:.6g} Tflop/s", speed->value / 1e12);
    if (compute->units > 0)
      own["units"] = compute->units;
    own["source"] = to_json(compute->source);
  }
  for (const auto& part : device.memories)
    json["memories"].push_back(to_json(part));
  if (device.source)
    json["source"] = to_json(*device.source);
  return json;
}

void add_cable(const Cable& cable, Json& json) {
  json["type"] = name_of(cable.type);
  if (cable.bandwidth)
    json["bandwidth"] = rate_text(*cable.bandwidth);
  else
    add_rating(cable.type, cable.rating, json);
  json["latency"] = fmt::format("{:.4g} us", in_microseconds(cable.latency));
  json["source"] = to_json(cable.source);
}

Json to_json(const PlannedLink& link) {
  Json json{{"between", {link.from, link.to}}};
  add_cable(link.cable, json);
  return json;
}

Json to_json(const PlannedNetwork& network) {
  const auto& shape = network.shape;
  Json json{{"kind", name_of(network_kind_names, shape.kind)}, {"joins", network.joins}};
  if (network.rails > 1)
    json["rails"] = network.rails;
  if (shape.kind == NetworkKind::fat_tree)
    json["ports"] = shape.ports;
  if (shape.taper != NetworkShape().taper)
    json["taper"] = shape.taper;
  add_if_any(json, "shape", shape.points);
  if (shape.group_links > 1)
    json["group_links"] = shape.group_links;
  if (shape.adds)
    json["sharp"] = true;
  add_cable(network.link, json["link"]);
  return json;
}

Json to_json(const Rule& rule);

template <class T> Json list_of(const std::vector<T>& parts) {
  Json list = Json::array();
  for (const auto& part : parts)
    list.push_back(to_json(part));
  return list;
}

void add_parts(const Assembly& parts, Json& json) {
  if (!parts.devices.empty())
    json["devices"] = list_of(parts.devices);
  if (!parts.links.empty())
    json["links"] = list_of(parts.links);
}

Json to_json(const Rule& rule) {
  Json json = Json::object();
  if (rule.scope)
    json["scope"] = name_of(scope_names, *rule.scope);
  if (rule.between)
    json["between"] = {name_of(device_kind_names, (*rule.between)[0]), name_of(device_kind_names, (*rule.between)[1])};
  if (rule.moved_by_cores)
    json["moved_by_cores"] = true;
  if (rule.copies != 1)
    json["copies"] = rule.copies;
  json["source"] = to_json(rule.regimes.front().source);
  json["regimes"] = list_of(rule.regimes);
  return json;
}

Json to_json(const std::pair<Fabric, std::string>& described) {
  const auto& [fabric, description] = described;
  Json json{{"description", description}, {"links", Json::array()}};
  for (const auto type : fabric.links)
    json["links"].push_back(name_of(type));
  json["rules"] = list_of(fabric.rules);
  if (!fabric.adjustments.empty())
    json["adjustments"] = list_of(fabric.adjustments);
  return json;
}

// A part's object is written on one line, as people write it; everything else is indented.
void print(const Json& json, const int depth, std::ostream& out) {
  const bool is_small = json.is_primitive() || json.empty() || json.dump().size() < 96;
  const bool is_part = json.is_object() && !json.contains("regimes") &&
                       (json.contains("between") || json.contains("kind") || json.contains("from"));
  if (is_small || is_part) {
    out << json.dump();
    return;
  }
  const std::string indent(2 * (depth + 1), ' ');
  out << (json.is_array() ? "[" : "{");
  bool is_first = true;
  for (const auto& [key, value] : json.items()) {
    out << (is_first ? "\n" : ",\n") << indent;
    if (json.is_object())
      out << Json(key).dump() << ": ";
    print(value, depth + 1, out);
    is_first = false;
  }
  out << '\n' << std::string(2 * depth, ' ') << (json.is_array() ? "]" : "}");
}

} // namespace

void write_platform(const Blueprint& blueprint, std::ostream& out) {
  Json json{{"$schema", "urn:kakehashi:platform"}, {"name", blueprint.name}, {"description", blueprint.description}};
  for (const auto& [name, parts] : blueprint.templates)
    add_parts(parts, json["templates"][name]);
  for (const auto& [name, made_of] : blueprint.nodes)
    json["nodes"][name] = made_of;
  add_parts(blueprint.outside, json);
  for (const auto& network : blueprint.networks)
    json["networks"][network.name] = to_json(network);
  const auto mpi = blueprint.mpi.value_or(MpiSettings{});
  if (mpi.selector)
    json["mpi"]["collectives"] = name_of(selector_names, *mpi.selector);
  if (mpi.reduction)
    json["mpi"].update(
        {{"reduction", {{"cpu", fmt::format("{:.4g} ns/B", of_kind(*mpi.reduction, DeviceKind::cpu).value * 1e9)}}},
         {"source", to_json(mpi.source)}});
  for (const auto& described : blueprint.fabrics)
    json["fabrics"][described.first.name] = to_json(described);
  print(json, 0, out);
  out << '\n';
}

} // namespace kakehashi
