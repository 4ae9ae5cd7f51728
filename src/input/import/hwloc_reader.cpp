#include "input/import/formats.hpp"

#include "input/import/assembly.hpp"
#include "input/import/known_hardware.hpp"
#include "input/import/pci_tree.hpp"
#include "input/import/text_parts.hpp"
#include "model/platform.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace kakehashi {
namespace {

using std::string_view;

string_view type_of(pugi::xml_node object) {
  return object.attribute("type").value();
}

std::string info_of(pugi::xml_node object, string_view name) {
  for (const auto info : object.children("info"))
    if (info.attribute("name").value() == name)
      return info.attribute("value").value();
  return "";
}

bool is_io(pugi::xml_node object) {
  const auto type = type_of(object);
  return type == "Bridge" || type == "PCIDev" || type == "OSDev" || type == "Misc";
}

struct Counts {
  std::size_t cores = 0, threads = 0, domains = 0;
  double memory = 0;          // bytes
  std::set<std::string> last; // sizes of last-level caches
  std::size_t third = 0;      // their number
  Bytes caches;               // sum over all caches
};

void count(pugi::xml_node object, Counts& counts) {
  const auto type = type_of(object);
  counts.cores += type == "Core";
  counts.threads += type == "PU";
  counts.domains += type == "NUMANode";
  counts.memory += object.attribute("local_memory").as_double();
  const bool is_third = type == "L3Cache" || (type == "Cache" && object.attribute("depth").as_int() == 3);
  if (is_third && object.attribute("cache_size")) {
    ++counts.third;
    counts.caches.count += object.attribute("cache_size").as_ullong();
    counts.last.insert(fmt::format("{} KiB", object.attribute("cache_size").as_ullong() / 1024));
  }
  for (const auto child : object.children("object"))
    if (!is_io(child))
      count(child, counts);
}

std::string describe(const Counts& counts, const std::string& model) {
  auto text = "lstopo: " + (model.empty() ? "" : model + ", ") + counted(counts.cores, "core") + ", " +
              counted(counts.threads, "thread") + ", " +
              counted(std::max<std::size_t>(counts.domains, 1), "NUMA domain");
  for (const auto& size : counts.last)
    text += ", L3 " + size;
  if (counts.memory > 0)
    text += fmt::format(", {:.0f} GiB", counts.memory / (1 << 30));
  return text;
}

// The objects that stand for sockets. Systems that report no packages have NUMA domains, or only the machine.
class SocketKind {
public:
  explicit SocketKind(pugi::xml_node top) {
    const auto has = [&](string_view type) {
      return !top.find_node([&](pugi::xml_node node) { return type_of(node) == type; }).empty();
    };
    type_ = has("Package") ? "Package" : has("Socket") ? "Socket" : "NUMANode";
    // From hwloc 2 on, a domain stands beside the cores near it, inside the object that holds both.
    is_beside_ =
        type_ == "NUMANode" &&
        top.find_node([](pugi::xml_node node) { return type_of(node) == "NUMANode" && node.child("object"); }).empty();
  }
  bool is_socket(pugi::xml_node object) const {
    if (!is_beside_)
      return type_of(object) == type_;
    const auto objects = object.children("object");
    const bool has_cores = std::any_of(objects.begin(), objects.end(), [](pugi::xml_node child) {
      return type_of(child) != "NUMANode" && type_of(child) != "MemCache" && !is_io(child);
    });
    return has_cores && std::any_of(objects.begin(), objects.end(),
                                    [](pugi::xml_node child) { return type_of(child) == "NUMANode"; });
  }

private:
  string_view type_;
  bool is_beside_ = false;
};

// Reads the system's name of a device, and the kind that follows from it. The numbers of types differ between versions
// of hwloc; the names of backends do not.
void read_os_devices(pugi::xml_node object, PciPlace& place) {
  static const std::set<string_view> computing{"CUDA", "OpenCL", "NVML", "RSMI", "LevelZero", "ROCm", "VectorEngine"};
  for (const auto child : object.children("object")) {
    if (type_of(child) != "OSDev")
      continue;
    const std::string name = child.attribute("name").value();
    place.names.push_back(name);
    const string_view subtype = child.attribute("subtype").value();
    place.is_accelerator |= computing.contains(subtype) || name.starts_with("cuda") || name.starts_with("opencl");
    // An Ethernet adapter with verbs is one for RoCE: its MAC address has 6 bytes, an InfiniBand address 20.
    place.is_infiniband |= name.starts_with("ib") || name.starts_with("hfi") || name.starts_with("opa");
    place.is_infiniband |= info_of(child, "Address").size() > 40;
    if (place.model.empty() && !info_of(child, "GPUModel").empty())
      place.model = info_of(child, "GPUModel");
    read_os_devices(child, place);
  }
}

PciPlace place_of_pci(pugi::xml_node object) {
  PciPlace place;
  place.is_bridge = type_of(object) == "Bridge";
  place.bus_id = object.attribute("pci_busid").value();
  const string_view type = object.attribute("pci_type").value(); // "0207 [15b3:1003] [15b3:0059] 00"
  place.class_id = hexadecimal(type.substr(0, 4));
  if (const auto bracket = type.find('['); bracket != string_view::npos) {
    place.vendor = hexadecimal(type.substr(bracket + 1, 4));
    place.device = hexadecimal(type.substr(std::min(type.size(), bracket + 6), 4));
  }
  const double speed = object.attribute("pci_link_speed").as_double();
  if (speed > 0 && speed < 1e4) {
    place.rate = gigabytes_per_second(speed);
    place.known_from = fmt::format("lstopo: {:.4g} GB/s", speed);
  }
  place.model = info_of(object, "PCIDevice");
  place.is_virtual = place.model.find("Virtual Function") != std::string::npos;
  read_os_devices(object, place);
  for (const auto child : object.children("object"))
    if (type_of(child) == "Bridge" || type_of(child) == "PCIDev")
      place.below.push_back(place_of_pci(child));
  return place;
}

// Reads the objects of a topology from the top down.
class NodeReader {
public:
  NodeReader(pugi::xml_node top, const ImportOptions& options) : kind_(top), pci_(node_, options) {
    read(top, std::nullopt);
    if (sockets_.empty())
      add_socket(top);
    for (const auto& [socket, places] : places_)
      has_cards_ |= pci_.add(sockets_[socket], places);
    for (const auto& places : unplaced_)
      is_assumed_ |= pci_.add(sockets_[places.first], {places.second});
    join_sockets(node_, sockets_, model_);
    node_.processor = model_;
  }
  Assembly& node() { return node_; }
  const PciBuilder& pci() const { return pci_; }
  const std::map<std::string, std::string>& numbers() const { return numbers_; }
  std::vector<std::string> notes() const {
    auto notes = pci_.notes();
    if (!has_cards_ && !is_assumed_)
      notes.push_back("the file has neither adapters nor cards; `lstopo --whole-io out.xml` on a "
                      "system with libpciaccess writes them");
    if (is_assumed_)
      notes.push_back("the file does not state to which socket some PCI devices are connected; assumed: the first");
    constexpr int few = 8;
    const auto small = std::ranges::find_if(
        node_.devices, [](const PlannedDevice& device) { return device.cores > 0 && device.cores < few; });
    if (small != node_.devices.end())
      notes.push_back(
          fmt::format("{} has {}, so what they copy within caches shares {:.0f} GB/s, at four bytes for each that "
                      "is sent: 10 GB/s a core are assumed; without \"cores\" caches limit nothing",
                      small->name, counted(static_cast<std::size_t>(small->cores), "core"),
                      small->cores * usual_cache_rate.value / 1e9));
    return notes;
  }

private:
  std::size_t add_socket(pugi::xml_node object) {
    auto model = info_of(object, "CPUModel");
    for (auto parent = object.parent(); model.empty() && parent; parent = parent.parent())
      model = info_of(parent, "CPUModel");
    model.erase(model.find_last_not_of(' ') + 1);
    if (model_.empty())
      model_ = model.empty() ? info_of(object, "CPUVendor") : model;
    sockets_.push_back(fmt::format("cpu{}", sockets_.size()));
    Counts counts;
    count(object, counts);
    auto memory = memory_of_family(model);
    if (counts.caches.count > 0) {
      if (!memory)
        memory.emplace().source = stated("lstopo: the last caches; the memory is not known");
      memory->cache = counts.caches;
      if (counts.third > 1 && counts.cores % counts.third == 0) {
        memory->cache_domain = static_cast<int>(std::min<std::size_t>(counts.cores / counts.third, 100000));
        memory->domain_rate = domain_rate_of_family(model);
      }
    }
    node_.devices.push_back({sockets_.back(), DeviceKind::cpu, stated(shortened(describe(counts, model), 200)),
                             static_cast<int>(std::min<std::size_t>(counts.cores, 100000)), std::move(memory)});
    if (counts.domains > 1 && counts.domains <= 64 && counts.cores % counts.domains == 0)
      node_.devices.back().numa_domains = static_cast<int>(counts.domains);
    return sockets_.size() - 1;
  }

  // A device below an object that holds several sockets belongs to the first of them.
  void read(pugi::xml_node object, std::optional<std::size_t> socket) {
    if (!socket && kind_.is_socket(object))
      socket = add_socket(object);
    if (const auto number = object.attribute("gp_index"); number && socket)
      numbers_[number.value()] = sockets_[*socket];
    const auto next = sockets_.size();
    for (const auto child : object.children("object"))
      if (!is_io(child))
        read(child, socket);
    for (const auto child : object.children("object")) {
      if (type_of(child) != "Bridge" && type_of(child) != "PCIDev")
        continue;
      const auto nearest = socket.value_or(next < sockets_.size() ? next : 0);
      if (!socket && sockets_.size() > next + 1)
        unplaced_.emplace_back(nearest, place_of_pci(child));
      else
        places_[nearest].push_back(place_of_pci(child));
    }
  }

  SocketKind kind_;
  Assembly node_;
  PciBuilder pci_;
  std::vector<std::string> sockets_;
  std::map<std::string, std::string> numbers_;          // hwloc's number of each object in a socket: the socket
  std::map<std::size_t, std::vector<PciPlace>> places_; // places by socket
  std::string model_;
  std::vector<std::pair<std::size_t, PciPlace>> unplaced_; // below no single socket: with the socket that is assumed
  bool has_cards_ = false;
  bool is_assumed_ = false;
};

} // namespace

Result<Imported> read_hwloc(const XmlFile& xml, const ImportOptions& options) {
  const auto top = xml.root().child("object");
  if (!top)
    return fault_at(xml, xml.root(), "there is no object in this topology; `lstopo --whole-io out.xml` writes one");
  NodeReader reader(top, options);
  Imported imported;
  add_nvlinks(xml, reader.pci().names(), reader.numbers(), reader.node());
  imported.notes = reader.notes();
  imported.node = std::move(reader.node());
  const auto product = info_of(top, "DMIProductName");
  imported.description = "node from lstopo's XML" + (product.empty() ? "" : " (" + product + ")");
  return imported;
}

} // namespace kakehashi
