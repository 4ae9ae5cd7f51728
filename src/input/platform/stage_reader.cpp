#include "input/platform/stage_reader.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace kakehashi {
namespace {

using nlohmann::json;

// "sender", or "sender.cpu0".
StageEnd read_end(const json& stage, const std::string& place, const char* key, Faults& faults) {
  const auto text = stage[key].get<std::string>();
  const auto dot = std::min(text.find('.'), text.size());
  const auto side = from_name<Side>(side_names, text.substr(0, dot));
  if (!side || dot + 1 == text.size())
    faults.add(pointer_to(place, std::string(key)),
               mismatch(show(stage[key]), "sender, receiver, or a device of their nodes such as \"sender.cpu0\""));
  return {side.value_or(Side::sender), dot < text.size() ? text.substr(dot + 1) : ""};
}

} // namespace

void read_stages(const json& body, const std::string& place, Fabric& fabric, Faults& faults) {
  fabric.chunk = read_field(body, place, "pipeline", bytes_text, faults);
  if (fabric.chunk && fabric.chunk->count == 0)
    faults.add(place + "/pipeline", mismatch(show(body["pipeline"]), "at least 1 B"));
  const json& list = body["stages"];
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto at = pointer_to(place + "/stages", i);
    Stage stage;
    stage.fabric = list[i]["fabric"].get<std::string>();
    stage.from = read_end(list[i], at, "from", faults);
    stage.to = read_end(list[i], at, "to", faults);
    stage.initiator = list[i].value("initiator", "from") == "from" ? Side::sender : Side::receiver;
    stage.only_sender = read_name<DeviceKind>(list[i], "only_sender", device_kind_names);
    stage.only_receiver = read_name<DeviceKind>(list[i], "only_receiver", device_kind_names);
    fabric.stages.push_back(std::move(stage));
  }
}

void check_stages(const json& fabrics, const Platform& platform, Faults& faults) {
  std::vector<std::string> plain;
  for (const auto& fabric : platform.fabrics)
    if (fabric.stages.empty())
      plain.push_back(fabric.name);
  for (const auto& fabric : platform.fabrics)
    for (std::size_t i = 0; i < fabric.stages.size(); ++i) {
      const auto at = pointer_to(pointer_to("/fabrics", fabric.name) + "/stages", i);
      const auto& stage = fabric.stages[i];
      if (std::find(plain.begin(), plain.end(), stage.fabric) == plain.end())
        faults.add(
            at + "/fabric",
            mismatch(show(fabrics[fabric.name]["stages"][i]["fabric"]), "a fabric of this platform without stages"),
            closest(stage.fabric, plain));
      for (const auto* end : {&stage.from, &stage.to})
        if (!end->device.empty() &&
            std::none_of(platform.devices.begin(), platform.devices.end(),
                         [&](const Device& device) { return device.node && device.local_name() == end->device; }))
          faults.add(at + (end == &stage.from ? "/from" : "/to"),
                     mismatch(in_quotes(end->device) + ", which no node has", "the name of a device in a node"));
    }
}

} // namespace kakehashi
