#include "input/platform/part_readers.hpp"

#include "input/platform/field_reader.hpp"

#include <algorithm>

namespace kakehashi {

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
