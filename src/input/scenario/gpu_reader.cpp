// "gpu" of a workload → what NCCL or RCCL is asked for.
#include "base/number.hpp"
#include "base/text.hpp"
#include "input/scenario/scenario_parts.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kakehashi {
namespace {

using nlohmann::json;

// Reads a name in letters of either case, as NCCL does.
template <class E, std::size_t N>
std::optional<E> named(const std::string& word, const std::array<std::string_view, N>& names, const std::string& place,
                       Faults& faults) {
  for (std::size_t i = 0; i < N; ++i)
    if (in_lower_case(names[i]) == in_lower_case(word))
      return static_cast<E>(i);
  faults.add(place, mismatch(in_quotes(word), fmt::format("one of {}", fmt::join(names, ", "))),
             closest(word, std::vector<std::string>(names.begin(), names.end())));
  return std::nullopt;
}

std::optional<int> number_from(const std::string& word, int least, int most, const std::string& place, Faults& faults) {
  const auto number = number_in<int>(word);
  if (number && *number >= least && *number <= most)
    return number;
  faults.add(place, mismatch(in_quotes(word), fmt::format("a number from {} to {}", least, most)));
  return std::nullopt;
}

// Levels from "LOC" (never) to "SYS" (everywhere); GPUs behind one switch of PCIe are PXB or nearer.
std::optional<bool> direct_by_level(const std::string& word, const std::string& place, Faults& faults) {
  const auto level = in_lower_case(word);
  if (level == "loc" || level == "nvl" || level == "0" || level == "1")
    return false;
  if (level == "pix" || level == "pxb" || level == "2" || level == "3")
    return std::nullopt;
  if (level == "phb" || level == "sys" || level == "4" || level == "5")
    return true;
  faults.add(place, mismatch(in_quotes(word), "one of LOC, NVL, PIX, PXB, PHB, SYS"));
  return std::nullopt;
}

void read_variable(const std::string& name, const std::string& value, GpuWishes& wishes, Faults& faults) {
  static const std::vector<std::string> known{
      "NCCL_ALGO",      "NCCL_PROTO",          "NCCL_MAX_NCHANNELS",          "NCCL_NVLS_ENABLE", "NCCL_P2P_DISABLE",
      "NCCL_P2P_LEVEL", "NCCL_COLLNET_ENABLE", "NCCL_COLLNET_NODE_THRESHOLD", "NCCL_CROSS_NIC"};
  const auto place = pointer_to("/workload/gpu/env", name);
  if (name == known[0])
    wishes.algorithm = named<GpuAlgorithm>(value, gpu_algorithm_names, place, faults);
  else if (name == known[1])
    wishes.protocol = named<GpuProtocol>(value, gpu_protocol_names, place, faults);
  else if (name == known[2])
    wishes.channels = number_from(value, 1, 128, place, faults);
  else if (name == known[3])
    wishes.has_nvls = value != "0";
  else if (name == known[4])
    wishes.is_direct = value != "0" ? std::optional(false) : std::nullopt;
  else if (name == known[5])
    wishes.is_direct = direct_by_level(value, place, faults);
  else if (name == known[6])
    wishes.has_collnet = value != "0";
  else if (name == known[7])
    wishes.collnet_nodes = number_from(value, 0, 100000, place, faults).value_or(wishes.collnet_nodes);
  else if (name == known[8])
    wishes.cross_nic = static_cast<CrossNic>(number_from(value, 0, 2, place, faults).value_or(2));
  else
    faults.add(
        place,
        fmt::format("got {}, which is not modelled, expected one of {}", in_quotes(name), fmt::join(known, ", ")),
        closest(name, known));
}

} // namespace

GpuWishes read_gpu_wishes(const json& object, Faults& faults) {
  GpuWishes wishes;
  if (object.contains("env"))
    for (const auto& [name, value] : object["env"].items())
      read_variable(name, value.get<std::string>(), wishes, faults);
  if (object.contains("algorithm"))
    wishes.algorithm = named<GpuAlgorithm>(object["algorithm"].get<std::string>(), gpu_algorithm_names,
                                           "/workload/gpu/algorithm", faults);
  if (object.contains("protocol"))
    wishes.protocol =
        named<GpuProtocol>(object["protocol"].get<std::string>(), gpu_protocol_names, "/workload/gpu/protocol", faults);
  if (object.contains("channels"))
    wishes.channels = object["channels"].get<int>();
  wishes.in_place = object.value("in_place", false);
  return wishes;
}

} // namespace kakehashi
