#include "gpu/system.hpp"
#include "study/fit/fit_parts.hpp"
#include "topology/topology.hpp"

#include <algorithm>

namespace kakehashi {
namespace {

template <class T> void set_field(OpenField& field, std::optional<T> GpuLibraryChoice::*member) {
  field.set = [member](Platform& platform, MpiSettings&, double value) { platform.gpu_library.*member = T{value}; };
}

OpenField time_of(std::string name, Seconds now, std::optional<Seconds> GpuLibraryChoice::*member) {
  constexpr double usual_floor = 20e-6;
  OpenField field;
  field.name = std::move(name);
  field.now = now.value > 0 ? std::optional(now.value) : std::nullopt;
  field.without = "0 us";
  field.usual = field.now.value_or(usual_floor);
  field.scale = 1e6;
  field.unit = "us";
  set_field(field, member);
  return field;
}

OpenField number_of(std::string name, double now, std::optional<double> GpuLibraryChoice::*member) {
  OpenField field;
  field.name = std::move(name);
  field.now = field.usual = now;
  set_field(field, member);
  return field;
}

} // namespace

std::vector<OpenField> gpu_fields(std::span<const Scenario> scenarios) {
  using Choice = GpuLibraryChoice;
  std::optional<GpuSystem> system; // of several nodes, if there is one
  bool is_inside = false;          // a log is of one node, which tells the launch from the floor between nodes
  for (const auto& scenario : scenarios)
    if (auto found = gpu_system(scenario.platform, std::make_shared<Topology>(*scenario.platform), scenario.ranks)) {
      is_inside |= !found->adapter;
      if (!system || !system->adapter)
        system = std::move(*found);
    }
  std::vector<OpenField> fields;
  if (!system)
    return fields;
  const auto& choice = system->platform->gpu_library;
  const auto add_share = [&](std::string name, double now, std::optional<double> Choice::*member) {
    fields.push_back(number_of(std::move(name), now, member));
    fields.back().most = 1;
  };
  if (system->adapter) {
    fields.push_back(time_of("gpu_library/floor", system->adapter->floor, &Choice::floor));
    fields.push_back(number_of("gpu_library/network_steps", choice.network_steps.value_or(1), &Choice::network_steps));
    add_share("gpu_library/network_efficiency", system->adapter->tree.back().share, &Choice::network_efficiency);
  }
  if (is_inside)
    fields.push_back(time_of("gpu_library/launch", system->generation->launch, &Choice::launch));
  if (system->nodes.front().size() > 1) {
    fields.push_back(number_of("gpu_library/steps", choice.steps.value_or(1), &Choice::steps));
    add_share("gpu_library/efficiency", system->generation->hops.back().share, &Choice::efficiency);
  }
  return fields;
}

} // namespace kakehashi
