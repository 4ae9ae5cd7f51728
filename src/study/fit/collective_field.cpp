#include "study/fit/fit_parts.hpp"

#include "base/quantity_form.hpp"
#include "base/text.hpp"
#include "topology/capacity.hpp"
#include "workload/workload.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace kakehashi {
namespace {

using Indices = std::vector<std::size_t>;

// Makes a field for a quantity of type T.
template <class T> OpenField field_of(std::string name, std::optional<T> now, T usual) {
  constexpr auto& form = form_of<T>;
  OpenField field;
  field.name = std::move(name);
  if (now)
    field.now = now->value;
  field.usual = now.value_or(usual).value;
  field.scale = form.scale;
  field.unit = form.unit;
  return field;
}

void name_devices(OpenField& field, const Platform& platform, const Indices& devices) {
  for (const auto device : devices)
    field.devices.push_back(platform.devices[device].name);
}

template <class Change> auto on_devices(const Indices& devices, Change change) {
  return [devices, change](Platform& platform, MpiSettings&, double value) {
    for (const auto device : devices)
      change(platform.devices[device], value);
  };
}

// Returns the fields of the memory that all these devices have.
std::vector<OpenField> memory_fields(const Platform& platform, const Indices& devices) {
  const auto& first = platform.devices[devices.front()];
  std::vector<OpenField> fields;
  if (first.cores > 0) {
    const auto rate = core_rate_of(platform, first);
    auto& field = fields.emplace_back(field_of("memory/cache_rate", std::optional(rate), rate));
    field.set =
        on_devices(devices, [](Device& device, double value) { device.memory->cache_rate = BytesPerSecond{value}; });
  }
  const auto bandwidth = bandwidth_of(*first.memory);
  auto& field = fields.emplace_back(field_of("memory/bandwidth", std::optional(bandwidth), bandwidth));
  field.set =
      on_devices(devices, [](Device& device, double value) { device.memory->bandwidth = BytesPerSecond{value}; });
  if (first.memory->cache_domain > 0) {
    fields.push_back(field_of("memory/domain_rate", first.memory->domain_rate, gigabytes_per_second(24)));
    fields.back().set =
        on_devices(devices, [](Device& device, double value) { device.memory->domain_rate = BytesPerSecond{value}; });
  }
  for (auto& each : fields)
    name_devices(each, platform, devices);
  return fields;
}

// Returns the fields of messages inside nodes that are not of collective operations.
std::vector<OpenField> message_fields(const Scenario& scenario, bool is_between_nodes) {
  const auto& costs = in_node_of(make_library(scenario.mpi));
  std::vector<OpenField> fields(1);
  fields[0].name = "mpi/full_node_factor";
  fields[0].now = fields[0].usual = costs.full_node_factor;
  fields[0].set = [](Platform&, MpiSettings& settings, double value) { settings.full_node_factor = value; };
  if (is_between_nodes) {
    fields.push_back(field_of("mpi/network_polling", scenario.mpi.network_polling, microseconds(1)));
    fields.back().set = [](Platform&, MpiSettings& settings, double value) {
      settings.network_polling = Seconds{value};
    };
  }
  return fields;
}

// Returns the fields of the library's work on vectors and blocks.
std::vector<OpenField> library_fields(const Scenario& scenario, DeviceKind kind, bool adds_vectors) {
  const auto k = static_cast<std::size_t>(kind);
  const auto& mpi = scenario.mpi;
  std::vector<OpenField> fields;
  const auto add = [&](auto now, const char* name, auto set) {
    fields.push_back(field_of(name, std::optional(now), now));
    fields.back().set = [set](Platform&, MpiSettings& settings, double value) { set(settings, value); };
  };
  if (adds_vectors)
    add(mpi.reduction.value_or(usual_reduction)[k], "mpi/reduction", [k](MpiSettings& settings, double value) {
      settings.reduction.emplace(settings.reduction.value_or(usual_reduction))[k] = SecondsPerByte{value};
    });
  add(mpi.copy.value_or(usual_copy)[k], "mpi/copy", [k](MpiSettings& settings, double value) {
    settings.copy.emplace(settings.copy.value_or(usual_copy))[k] = SecondsPerByte{value};
  });
  add(mpi.copy_start.value_or(usual_copy_start), "mpi/copy_start",
      [](MpiSettings& settings, double value) { settings.copy_start = Seconds{value}; });
  return fields;
}

// Returns the fields of the adapters of the ranks' nodes.
std::vector<OpenField> adapter_fields(const Platform& platform, const Indices& adapters) {
  const auto& first = platform.devices[adapters.front()];
  OpenField rate;
  rate.name = "message_rate";
  rate.usual = 10e6;
  rate.scale = 1e-6;
  rate.unit = "M messages/s";
  if (first.message_rate > 0)
    rate.now = rate.usual = first.message_rate;
  rate.set = on_devices(adapters, [](Device& device, double value) { device.message_rate = value; });
  auto both = field_of("duplex_bandwidth", first.duplex_bandwidth, gigabytes_per_second(10));
  both.set =
      on_devices(adapters, [](Device& device, double value) { device.duplex_bandwidth = BytesPerSecond{value}; });
  std::vector<OpenField> fields{std::move(rate), std::move(both)};
  for (auto& each : fields)
    name_devices(each, platform, adapters);
  return fields;
}

void append_to(std::vector<OpenField>& fields, std::vector<OpenField> more) {
  std::ranges::move(more, std::back_inserter(fields));
}

} // namespace

std::string OpenField::text(double value) const {
  return fmt::format("{}{}{}", four_digits(value * scale), unit.empty() ? "" : " ", unit);
}

namespace {

// Returns the fields that recorded applications show, and no loop of messages does.
std::vector<OpenField> work_fields(const MpiSettings& mpi) {
  std::vector<OpenField> fields{field_of("mpi/after_work", mpi.after_work, microseconds(10)),
                                field_of("mpi/after_work_copy", mpi.after_work_copy, SecondsPerByte{0.05e-9})};
  fields[0].set = [](Platform&, MpiSettings& settings, double value) { settings.after_work = Seconds{value}; };
  fields[1].set = [](Platform&, MpiSettings& settings, double value) {
    settings.after_work_copy = SecondsPerByte{value};
  };
  for (auto& each : fields)
    each.without = "nothing";
  return fields;
}

std::vector<OpenField> fields_of_benchmarks(const std::vector<Scenario>& scenarios) {
  const auto& first = scenarios.front();
  if (kind_of(std::get<Benchmark>(first.workload)).gpu)
    return gpu_fields(scenarios);
  const auto& platform = *first.platform;
  std::set<std::size_t> used, nodes;
  bool adds_vectors = false;
  bool is_between_nodes = false;
  bool has_messages = false, has_collectives = false;
  for (const auto& scenario : scenarios) {
    std::set<std::size_t> own;
    for (const auto device : scenario.ranks) {
      used.insert(device);
      own.insert(platform.devices[device].node.value_or(0));
    }
    nodes.insert(own.begin(), own.end());
    is_between_nodes |= own.size() > 1;
    const bool is_collective = kind_of(std::get<Benchmark>(scenario.workload)).collective.has_value();
    has_messages |= !is_collective;
    has_collectives |= is_collective;
    adds_vectors |= make_job(scenario.workload, make_place(platform, scenario.ranks, scenario.mpi)).adds_vectors;
  }
  Indices adapters;
  for (std::size_t i = 0; i < platform.devices.size(); ++i) {
    const auto& device = platform.devices[i];
    const bool is_hca_or_nic = device.kind == DeviceKind::hca || device.kind == DeviceKind::nic;
    if (is_hca_or_nic && device.node && nodes.contains(*device.node))
      adapters.push_back(i);
  }
  auto fields = memory_fields(platform, {used.begin(), used.end()});
  if (has_collectives)
    append_to(fields, library_fields(first, platform.devices[first.ranks.front()].kind, adds_vectors));
  if (has_messages)
    append_to(fields, message_fields(first, is_between_nodes));
  if (is_between_nodes && !adapters.empty())
    append_to(fields, adapter_fields(platform, adapters));
  return fields;
}

} // namespace

std::vector<OpenField> open_fields(std::span<const Scenario> scenarios) {
  std::vector<Scenario> benchmarks;
  std::ranges::remove_copy_if(scenarios, std::back_inserter(benchmarks), is_recorded, &Scenario::workload);
  auto fields = benchmarks.empty() ? std::vector<OpenField>{} : fields_of_benchmarks(benchmarks);
  if (benchmarks.size() < scenarios.size())
    append_to(fields, work_fields(scenarios.front().mpi));
  return fields;
}

std::vector<std::string> copying_fabrics(const Scenario& scenario) {
  std::vector<std::string> names;
  for (const auto* fabric : parts_of(*scenario.platform, *find_fabric(*scenario.platform, scenario.fabric)))
    if (std::ranges::any_of(fabric->rules, &Rule::moved_by_cores))
      names.push_back(fabric->name);
  return names;
}

std::vector<Scenario> with_copies(const std::vector<Scenario>& scenarios, std::span<const std::string> fabrics,
                                  int copies) {
  auto changed = scenarios;
  for (auto& scenario : changed) {
    auto platform = std::make_shared<Platform>(*scenario.platform);
    for (auto& fabric : platform->fabrics)
      for (auto& rule : fabric.rules)
        if (rule.moved_by_cores && std::ranges::find(fabrics, fabric.name) != fabrics.end())
          rule.copies = copies;
    scenario.platform = std::move(platform);
  }
  return changed;
}

std::vector<Scenario> with_value(const std::vector<Scenario>& scenarios, const OpenField& field, double value) {
  auto changed = scenarios;
  for (auto& scenario : changed) {
    auto platform = std::make_shared<Platform>(*scenario.platform);
    field.set(*platform, scenario.mpi, std::min(value, field.most));
    scenario.platform = std::move(platform);
  }
  return changed;
}

} // namespace kakehashi
