#include "input/import/formats.hpp"

#include "input/import/assembly.hpp"
#include "input/import/known_hardware.hpp"
#include "input/import/pci_tree.hpp"
#include "input/import/text_parts.hpp"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <set>

namespace kakehashi {
namespace {

using std::string_view;

constexpr std::string_view how = "; run a job on all GPUs of a node with NCCL_TOPO_DUMP_FILE=topo.xml, which writes "
                                 "all of it";

// Reads "16 GT/s", "16.0 GT/s PCIe" as 4.
std::optional<int> generation_of(string_view speed) {
  const double transfers = std::strtod(std::string(speed).c_str(), nullptr);
  constexpr double rates[] = {2.5, 5, 8, 16, 32, 64};
  const auto* found = std::find(std::begin(rates), std::end(rates), transfers);
  return found == std::end(rates) ? std::nullopt : std::optional(static_cast<int>(found - std::begin(rates)) + 1);
}

// Reads an adapter's network: 100000 Mbit/s on mlx5_0.
void read_net(pugi::xml_node nic, PciPlace& place) {
  for (const auto net : nic.children("net"))
    place.names.emplace_back(net.attribute("name").value());
}

// The type that the numbers of a GPU show: the stated one, if it has these numbers; null: unknown.
const GpuType* shown_type(pugi::xml_node gpu, const GpuType* stated_type) {
  const string_view architecture = gpu.attribute("gcn").value();
  const auto* shown = !architecture.empty() ? &gpu_type_of(architecture) : gpu_type_with(gpu.attribute("sm").as_int());
  const bool agrees = !shown || (stated_type && stated_type->compute == shown->compute &&
                                 stated_type->architecture == shown->architecture);
  return agrees ? stated_type : shown;
}

PciPlace read_pci(pugi::xml_node pci, const GpuType* stated_type) {
  PciPlace place;
  place.bus_id = in_lower_case(pci.attribute("busid").value());
  place.class_id = hexadecimal(pci.attribute("class").value()) >> 8; // "0x030200"
  place.vendor = hexadecimal(pci.attribute("vendor").value());
  place.device = hexadecimal(pci.attribute("device").value());
  place.is_bridge = place.class_id >> 8 == 0x06;
  const auto gpu = pci.child("gpu");
  place.is_accelerator = !gpu.empty();
  place.type = gpu ? shown_type(gpu, stated_type) : nullptr;
  // Files without vendors are of NVIDIA's GPUs or, from RCCL, of AMD's.
  if (const auto base = place.class_id >> 8; !pci.attribute("vendor") && (base == 0x03 || base == 0x12))
    place.vendor = gpu.attribute("gcn") || base == 0x12 ? 0x1002 : 0x10de;
  place.generation = generation_of(pci.attribute("link_speed").value());
  const int lanes = pci.attribute("link_width").as_int();
  const auto& widths = row_of(link_type("pcie")).widths;
  if (std::find(widths.begin(), widths.end(), lanes) != widths.end())
    place.lanes = lanes;
  if (place.generation && place.lanes)
    place.known_from = fmt::format("NCCL: {} x{}", pci.attribute("link_speed").value(), lanes);
  for (const auto nic : pci.children("nic"))
    read_net(nic, place);
  for (const auto child : pci.children("pci"))
    place.below.push_back(read_pci(child, stated_type));
  return place;
}

struct LinkedGpu {
  std::string gpu; // a bus id
  pugi::xml_node element;
};

void find_gpus(pugi::xml_node parent, std::vector<LinkedGpu>& gpus) {
  for (const auto pci : parent.children("pci")) {
    for (const auto gpu : pci.children("gpu"))
      gpus.push_back({in_lower_case(pci.attribute("busid").value()), gpu});
    find_gpus(pci, gpus);
  }
}

// The type that the file shows by a number of the GPU, or else the stated one.
const GpuType& type_of(pugi::xml_node gpu, bool has_xgmi, const ImportOptions& options) {
  if (!gpu.attribute("sm") && !gpu.attribute("gcn") && options.gpu && options.gpu->links > 0)
    return *options.gpu;
  return has_xgmi ? gpu_type_of(string_view(gpu.attribute("gcn").value())) : gpu_type_of(gpu.attribute("sm").as_int());
}

// GPUs name the far ends of their NVLinks and xGMI links: other GPUs, NVSwitches or, on POWER, the socket. Two linked
// GPUs name each other, so only the links that the first one names are added.
void add_gpu_links(const std::vector<LinkedGpu>& gpus, const std::map<std::string, std::string>& names,
                   const std::map<std::string, std::string>& sockets, const ImportOptions& options, Assembly& node) {
  std::set<std::pair<std::string, std::string>> done;
  bool has_switch = false;
  for (const auto& gpu : gpus) {
    const auto name = names.find(gpu.gpu);
    if (name == names.end())
      continue;
    const auto c2c = gpu.element.child("c2c"); // links of Grace to its GPU, in MB/s
    const double rate = 1e6 * c2c.attribute("bw").as_uint() * c2c.attribute("count").as_uint();
    if (rate > 0 && rate < 1e14)
      join(node, name->second, sockets.at(gpu.gpu), stated_cable("nvlink", {rate}, stated("NCCL: NVLink-C2C")));
    for (const auto link : gpu.element.children()) {
      const bool is_xgmi = string_view(link.name()) == "xgmi";
      if (!is_xgmi && string_view(link.name()) != "nvlink")
        continue;
      const auto target = in_lower_case(link.attribute("target").value());
      const auto kind = hexadecimal(link.attribute("tclass").value());
      const auto peer = names.find(target);
      const auto count = static_cast<std::size_t>(std::clamp(link.attribute("count").as_int(), 0, 1000));
      if (target == gpu.gpu || count == 0 || (peer != names.end() && done.contains({target, gpu.gpu})))
        continue;
      std::string far_end = peer != names.end() ? peer->second : "";
      if (far_end.empty() && kind >> 8 == 0x0680) {
        far_end = kind == 0x068001 ? sockets.at(gpu.gpu) : "nvswitch";
        if (far_end == "nvswitch" && !has_switch)
          node.devices.push_back({"nvswitch", DeviceKind::network_switch, stated("NCCL: all NVSwitches as one")});
        has_switch |= far_end == "nvswitch";
      }
      if (far_end.empty())
        continue;
      const double gigabytes = type_of(gpu.element, is_xgmi, options).link_gigabytes;
      join(node, name->second, far_end,
           rated_cable("nvlink", {static_cast<double>(count) * gigabytes * 1e9},
                       stated(fmt::format("NCCL: {}, {} GB/s each by data sheet",
                                          counted(count, is_xgmi ? "xGMI link" : "NVLink"), gigabytes))));
      done.emplace(gpu.gpu, target);
    }
  }
}

// A processor's family by its numbers, as CPUID gives them: the family with its extension in front, so 143 is 17h of
// AMD, 175 is 19h and 191 is 1Ah.
std::string model_of(pugi::xml_node cpu) {
  struct Row {
    int family, from; // the first model
    string_view name;
  };
  static constexpr Row rows[] = {
      {191, 0, "EPYC 9005"},          {175, 16, "EPYC 9004"},         {175, 0, "EPYC 7003"},
      {143, 48, "EPYC 7002"},         {143, 1, "EPYC 7001"},          {6, 173, "Xeon 6700P"},
      {6, 207, "Xeon Platinum 8500"}, {6, 143, "Xeon Platinum 8400"}, {6, 106, "Xeon Platinum 8300"},
      {6, 85, "Xeon Platinum 8100"},  {6, 79, "Xeon E5-2600 v4"},     {6, 63, "Xeon E5-2600 v3"}};
  const string_view vendor = cpu.attribute("vendor").value(), architecture = cpu.attribute("arch").value();
  if (architecture.starts_with("ppc"))
    return "POWER";
  if (vendor != "AuthenticAMD" && vendor != "GenuineIntel")
    return "";
  const int family = cpu.attribute("familyid").as_int(), model = cpu.attribute("modelid").as_int();
  for (const auto& row : rows)
    if (family == row.family && (family == 6 ? model == row.from : model >= row.from))
      return std::string(row.name);
  return vendor == "AuthenticAMD" ? "AMD EPYC" : "Xeon";
}

} // namespace

Result<Imported> read_nccl(const XmlFile& xml, const ImportOptions& options) {
  Imported imported;
  auto& node = imported.node.emplace();
  PciBuilder builder(node, options);
  std::vector<std::string> sockets;
  std::vector<LinkedGpu> gpus;
  std::map<std::string, std::string> socket_of; // the socket of each GPU
  std::set<std::string_view> hosts;
  std::vector<std::pair<std::string, std::vector<PciPlace>>> below;
  for (const auto cpu : xml.root().children("cpu")) {
    hosts.insert(cpu.attribute("host_hash").value());
    if (hosts.size() > 1)
      return fault_at(xml, cpu,
                      "this topology is of several nodes, expected one node's; NCCL writes one of one node "
                      "when the job has only that node");
    sockets.push_back(fmt::format("cpu{}", sockets.size()));
    node.devices.push_back({sockets.back(), DeviceKind::cpu,
                            stated(fmt::format("NCCL: NUMA domain {}, {}", cpu.attribute("numaid").value(),
                                               cpu.attribute("vendor").value()))});
    auto& places = below.emplace_back(sockets.back(), std::vector<PciPlace>{}).second;
    for (const auto pci : cpu.children("pci"))
      places.push_back(read_pci(pci, options.gpu));
    const auto known = gpus.size();
    find_gpus(cpu, gpus);
    for (std::size_t i = known; i < gpus.size(); ++i)
      socket_of[gpus[i].gpu] = sockets.back();
    for (const auto nic : cpu.children("nic")) {
      PciPlace place;
      place.class_id = 0x0200;
      read_net(nic, place);
      places.push_back(std::move(place));
    }
  }
  if (sockets.empty())
    return fault_at(xml, xml.root(), "there is no cpu in this topology" + std::string(how));
  for (const auto& [socket, places] : below)
    builder.add(socket, places);
  imported.notes = builder.notes();
  if (node.devices.size() == sockets.size())
    return fault_at(xml, xml.root(),
                    "its PCI devices have no class, or no GPU and no adapter is among them" + std::string(how));
  note_domains(imported.notes, "NCCL", sockets.size());
  join_sockets(node, sockets, model_of(xml.root().child("cpu")));
  add_gpu_links(gpus, builder.names(), socket_of, options, node);
  const auto has_nvlink = [](const PlannedLink& link) { return link.cable.type == link_type("nvlink"); };
  if (devices_of(node, DeviceKind::gpu).size() > 1 && std::none_of(node.links.begin(), node.links.end(), has_nvlink))
    imported.notes.push_back(
        "the file has neither NVLinks nor xGMI links, so GPUs reach each other over PCIe; files that clouds ship leave "
        "them out" +
        std::string(how));
  imported.description = "node from NCCL's topology";
  return imported;
}

} // namespace kakehashi
