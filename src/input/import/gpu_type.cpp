#include "input/import/known_hardware.hpp"

#include "input/import/assembly.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kakehashi {
namespace {

// Data sheets of NVIDIA and AMD give the sum of both directions, so a link has half of 40 (P100), 50 (V100 to H200),
// 100 GB/s (B200 on), and of 92 (MI50, MI100), 100 (MI200), 128 (MI300), 153.6 GB/s (MI350). The first of the types
// with one compute capability or architecture stands for it.
constexpr GpuType types[] = {
    {"P100", 20, 4, 3, 60, ""},
    {"V100", 25, 6, 3, 70, ""},
    {"A100", 25, 12, 4, 80, ""},
    {"A800", 25, 8, 4, 80, ""},
    {"A30", 25, 4, 4, 80, ""},
    {"A40", 14.0625, 4, 4, 86, ""},
    {"A6000", 14.0625, 4, 4, 86, ""},
    {"L40S", 0, 0, 4, 89, ""},
    {"L40", 0, 0, 4, 89, ""},
    {"L4", 0, 0, 4, 89, ""},
    {"H100", 25, 18, 5, 90, ""},
    {"H200", 25, 18, 5, 90, ""},
    {"H20", 25, 18, 5, 90, ""},
    {"H800", 25, 8, 5, 90, ""},
    {"GH200", 25, 18, 5, 90, "", true},
    {"B200", 50, 18, 5, 100, "", true},
    {"B100", 50, 18, 5, 100, "", true},
    {"GB200", 50, 18, 5, 100, "", true},
    {"B300", 50, 18, 6, 103, "", true},
    {"GB300", 50, 18, 6, 103, "", true},
    {"RTX PRO 6000", 0, 0, 5, 120, ""},
    {"MI50", 46, 2, 4, 0, "906"},
    {"MI60", 46, 2, 4, 0, "906"},
    {"MI100", 46, 3, 4, 0, "908"},
    {"MI250X", 50, 8, 4, 0, "90a"},
    {"MI250", 50, 8, 4, 0, "90a"},
    {"MI210", 50, 3, 4, 0, "90a"},
    {"MI300X", 64, 7, 5, 0, "94", true},
    {"MI325X", 64, 7, 5, 0, "94", true},
    {"MI350X", 76.8, 7, 5, 0, "95", true},
    {"MI355X", 76.8, 7, 5, 0, "95", true},
};

} // namespace

const GpuType* find_gpu_type(std::string_view name) {
  std::string words = " ";
  for (const char c : name)
    words += std::isalnum(static_cast<unsigned char>(c)) != 0 ? static_cast<char>(std::toupper(c)) : ' ';
  words += ' ';
  const auto* found = std::find_if(std::begin(types), std::end(types), [&](const GpuType& type) {
    return words.find(fmt::format(" {} ", type.name)) != std::string::npos;
  });
  return found == std::end(types) ? nullptr : found;
}

const GpuType& gpu_type_of(int compute_capability) {
  const auto* found = &types[0];
  for (const auto& type : types)
    if (type.links > 0 && type.compute <= compute_capability && type.compute > found->compute)
      found = &type;
  return *found;
}

const GpuType* gpu_type_with(int compute_capability) {
  const auto* found = std::ranges::find(types, compute_capability, &GpuType::compute);
  return found == std::end(types) || compute_capability == 0 ? nullptr : found;
}

const GpuType& gpu_type_of(std::string_view architecture) {
  if (architecture.starts_with("gfx"))
    architecture.remove_prefix(3);
  if (architecture.starts_with("910"))
    architecture = "90a";
  const auto is_of = [&](const GpuType& type) {
    return !type.architecture.empty() && architecture.starts_with(type.architecture);
  };
  const auto* found = std::find_if(std::begin(types), std::end(types), is_of);
  return found == std::end(types) ? *find_gpu_type("MI50") : *found;
}

Result<const GpuType*> stated_gpu_type(const std::string& name) {
  if (const auto* type = find_gpu_type(name))
    return type;
  std::vector<std::string> names;
  for (const auto& type : types)
    names.emplace_back(type.name);
  return usage_error(
      fmt::format("--gpu: {}", mismatch(in_quotes(name), fmt::format("one of {}", fmt::join(names, ", ")))),
      closest(name, names));
}

void set_models(Assembly& node, const GpuType* type, bool is_assumed) {
  for (auto& device : node.devices)
    if (type && device.kind == DeviceKind::gpu) {
      device.model = type->name;
      if (is_assumed && device.source)
        device.source = assumed(device.source->from + "; the model is assumed");
    }
}

void note_gpus_without_nvlinks(const Assembly& node, std::vector<std::string>& notes) {
  std::vector<std::string> bare, modules;
  std::size_t gpus = 0;
  for (const auto& device : node.devices) {
    if (device.kind != DeviceKind::gpu)
      continue;
    ++gpus;
    if (std::ranges::any_of(node.links, [&](const PlannedLink& link) {
          return link.cable.type == link_type("nvlink") && (link.from == device.name || link.to == device.name);
        }))
      continue;
    bare.push_back(device.name);
    const auto known_as = device.source ? device.source->from : "";
    const auto* type = find_gpu_type(known_as);
    if (known_as.find("SXM") != std::string::npos || (type && type->is_module))
      modules.push_back(device.name);
  }
  if (gpus > 1 && bare.size() < gpus && !bare.empty())
    notes.push_back(fmt::format("{} {} no NVLinks or xGMI links, which other GPUs have, so PCIe joins {} with them",
                                fmt::join(bare, ", "), bare.size() > 1 ? "have" : "has",
                                bare.size() > 1 ? "these" : "it"));
  else if (gpus > 1 && !modules.empty())
    notes.push_back(fmt::format("{} are modules that NVLinks or xGMI links join, but the file has none, so PCIe joins "
                                "them; lstopo writes NVLinks if it is built with NVML; `nvidia-smi topo -m` or NCCL's "
                                "topology state them",
                                fmt::join(modules, ", ")));
}

} // namespace kakehashi
