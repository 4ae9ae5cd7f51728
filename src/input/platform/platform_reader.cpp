#include "input/platform/platform_reader.hpp"

#include "input/json/schema.hpp"
#include "input/platform/mpi_reader.hpp"
#include "input/platform/part_readers.hpp"

#include <algorithm>
#include <numeric>

namespace kakehashi {
namespace {

GpuLibraryChoice read_gpu_library(const nlohmann::json& root, Faults& faults) {
  if (!root.contains("gpu_library"))
    return {};
  const auto& object = root["gpu_library"];
  const std::string place = "/gpu_library";
  for (const auto* name : {"efficiency", "network_efficiency"})
    if (object.contains(name) && object[name] == 0)
      faults.add(pointer_to(place, name), mismatch("0", "more than that, and at most 1"));
  return read_fields<GpuLibraryChoice>(object, place, {}, faults);
}

} // namespace

Result<Platform> parse_platform(const JsonDocument& document) {
  if (auto errors = check_schema(document, platform_schema_text); !errors.empty())
    return errors;
  Platform platform;
  platform.name = (*document.root)["name"].get<std::string>();
  platform.file = document.file;
  if ((*document.root).value("megabyte", "") == "2^20 B")
    platform.rate_unit.megabyte = 1 << 20;
  Faults faults(document.file);
  check_name(platform.name, "/name", faults);
  read_machine(*document.root, platform, faults);
  const bool machine_is_whole = faults.empty();
  Errors elsewhere; // in the files of limits and rules that this file names
  read_peer_limits(document, platform, faults, elsewhere);
  read_fabrics(*document.root, platform, faults);
  platform.mpi = read_mpi(document, faults, elsewhere);
  platform.gpu_library = read_gpu_library(*document.root, faults);
  if (machine_is_whole) {
    assume_memories(platform);
    check_reachability(platform, faults);
  }
  if (!faults.empty() || !elsewhere.empty()) {
    auto errors = document.in_document_order(faults.take());
    errors.insert(errors.end(), elsewhere.begin(), elsewhere.end());
    return errors;
  }
  return platform;
}

Result<Platform> read_platform(const std::string& file) {
  const auto document = read_json(file);
  if (!document)
    return document.errors();
  return parse_platform(*document);
}

namespace {

// Sets of connected devices, by union and find.
class Islands {
public:
  explicit Islands(std::size_t devices) : parent_(devices) { std::iota(parent_.begin(), parent_.end(), 0); }
  std::size_t find(std::size_t device) {
    while (parent_[device] != device)
      device = parent_[device] = parent_[parent_[device]];
    return device;
  }
  void join(std::size_t a, std::size_t b) { parent_[find(a)] = find(b); }

private:
  std::vector<std::size_t> parent_;
};

} // namespace

void check_reachability(const Platform& platform, Faults& faults) {
  Islands islands(platform.devices.size());
  for (const auto& link : platform.links)
    islands.join(link.from, link.to);
  const auto runs_ranks = [](const Device& device) { return can_run_ranks(device.kind); };
  const auto first = std::find_if(platform.devices.begin(), platform.devices.end(), runs_ranks);
  if (first == platform.devices.end())
    return faults.add("", mismatch("no device that ranks can run on", "a cpu, coprocessor, gpu or dpu"));
  const auto origin = static_cast<std::size_t>(first - platform.devices.begin());
  std::vector<bool> is_reported(platform.devices.size());
  for (std::size_t i = 0; i < platform.devices.size(); ++i) {
    const auto island = islands.find(i);
    if (!runs_ranks(platform.devices[i]) || island == islands.find(origin) || is_reported[island])
      continue;
    is_reported[island] = true;
    faults.add("", "there is no path of links from " + in_quotes(first->name) + " to " +
                       in_quotes(platform.devices[i].name));
  }
  for (const auto& fabric : platform.fabrics) {
    if (fabric.gateways.empty())
      continue;
    std::vector<bool> has_gateway(platform.nodes.size());
    for (const auto& device : platform.devices)
      if (device.node &&
          std::find(fabric.gateways.begin(), fabric.gateways.end(), device.local_name()) != fabric.gateways.end())
        has_gateway[*device.node] = true;
    const bool some_have = std::find(has_gateway.begin(), has_gateway.end(), true) != has_gateway.end();
    for (std::size_t node = 0; node < platform.nodes.size(); ++node)
      if (some_have && !has_gateway[node]) // if no node has one, the name is wrong, which is a fault already
        faults.add(pointer_to("/fabrics", fabric.name) + "/gateways",
                   mismatch("a node without any of them: " + in_quotes(platform.nodes[node]),
                            "at least one of them in every node"));
  }
}

} // namespace kakehashi
