#include "input/import/known_hardware.hpp"

#include <algorithm>

namespace kakehashi {
namespace {

struct PciModel {
  std::uint16_t vendor;
  std::uint16_t device;
  std::string_view model;
};

// Source: the PCI ID Repository (pci-ids.ucw.cz).
constexpr PciModel pci_models[] = {
    {0x10de, 0x1db1, "V100"},
    {0x10de, 0x1db4, "V100"},
    {0x10de, 0x1db5, "V100"},
    {0x10de, 0x1db6, "V100"},
    {0x10de, 0x1db8, "V100"},
    {0x10de, 0x20b0, "A100"},
    {0x10de, 0x20b1, "A100"},
    {0x10de, 0x20b2, "A100"},
    {0x10de, 0x20b3, "A100"},
    {0x10de, 0x20b5, "A100"},
    {0x10de, 0x20f1, "A100"},
    {0x10de, 0x20b7, "A30"},
    {0x10de, 0x20bd, "A800"},
    {0x10de, 0x20f3, "A800"},
    {0x10de, 0x20f5, "A800"},
    {0x10de, 0x2230, "A6000"},
    {0x10de, 0x2235, "A40"},

    {0x10de, 0x2322, "H800"},
    {0x10de, 0x2324, "H800"},
    {0x10de, 0x2329, "H20"},
    {0x10de, 0x232c, "H20"},
    {0x10de, 0x2321, "H100"},
    {0x10de, 0x2330, "H100"},
    {0x10de, 0x2331, "H100"},
    {0x10de, 0x2336, "H100"},
    {0x10de, 0x2337, "H100"},
    {0x10de, 0x2338, "H100"},
    {0x10de, 0x2339, "H100"},
    {0x10de, 0x233d, "H100"},
    {0x10de, 0x2335, "H200"},
    {0x10de, 0x233b, "H200"},
    {0x10de, 0x2342, "GH200"},
    {0x10de, 0x2348, "GH200"},
    {0x10de, 0x26b5, "L40"},
    {0x10de, 0x26b9, "L40S"},
    {0x10de, 0x27b8, "L4"},
    {0x10de, 0x2901, "B200"},
    {0x10de, 0x2909, "B200"},
    {0x10de, 0x2941, "GB200"},
    {0x10de, 0x2bb1, "RTX PRO 6000"},
    {0x10de, 0x2bb5, "RTX PRO 6000"},
    {0x10de, 0x3182, "B300"},
    {0x10de, 0x31c2, "GB300"},
    {0x10de, 0x31c3, "GB300"},
    {0x1002, 0x66a1, "MI50"},
    {0x1002, 0x738c, "MI100"},
    {0x1002, 0x7408, "MI250X"},
    {0x1002, 0x740f, "MI210"},
    {0x1002, 0x74a0, "MI300A"},
    {0x1002, 0x74a1, "MI300X"},
    {0x1002, 0x74a9, "MI300X"},
    {0x1002, 0x74a5, "MI325X"},
    {0x1002, 0x75a0, "MI350X"},
    {0x1002, 0x75a3, "MI355X"},
    {0x15b3, 0x1003, "ConnectX-3"},
    {0x15b3, 0x1007, "ConnectX-3 Pro"},
    {0x15b3, 0x1013, "ConnectX-4"},
    {0x15b3, 0x1015, "ConnectX-4 Lx"},
    {0x15b3, 0x1017, "ConnectX-5"},
    {0x15b3, 0x1019, "ConnectX-5"},
    {0x15b3, 0x101b, "ConnectX-6"},
    {0x15b3, 0x101d, "ConnectX-6 Dx"},
    {0x15b3, 0x101f, "ConnectX-6 Lx"},
    {0x15b3, 0x1021, "ConnectX-7"},
    {0x15b3, 0x1023, "ConnectX-8"},
    {0x15b3, 0xa2d6, "BlueField-2"},
    {0x15b3, 0xa2dc, "BlueField-3"},
    {0x17db, 0x0501, "Slingshot-11"},
    {0x1d0f, 0xefa0, "EFA"},
    {0x1d0f, 0xefa1, "EFA"},
    {0x1d0f, 0xefa2, "EFA"},
    {0x14e4, 0x1750, "BCM57508"},
    {0x14e4, 0x1760, "BCM57608"},
    {0x8086, 0x24f0, "Omni-Path 100"},
};

} // namespace

std::string_view model_by_number(std::uint32_t vendor, std::uint32_t device) {
  const auto* found = std::ranges::find_if(
      pci_models, [&](const PciModel& each) { return each.vendor == vendor && each.device == device; });
  return found == std::end(pci_models) ? "" : found->model;
}

} // namespace kakehashi
