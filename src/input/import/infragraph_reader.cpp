#include "input/import/formats.hpp"

#include "base/text.hpp"
#include "input/import/assembly.hpp"
#include "input/import/infragraph_parts.hpp"
#include "input/import/known_hardware.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <yaml-cpp/yaml.h>

namespace kakehashi {
namespace {

using std::string_view;

constexpr std::size_t most_text = 16 << 20;
constexpr int deepest = 8;                // levels of devices inside devices
constexpr std::size_t most_edges = 10000; // in a device

// The text and place of a fault; read_infragraph catches it.
struct GraphFault {
  YAML::Mark mark;
  std::string message;
};

std::string text_of(const YAML::Node& node, const char* key) {
  const auto value = node.IsMap() ? node[key] : YAML::Node(YAML::NodeType::Undefined);
  if (!value || !value.IsScalar() || value.Scalar().empty())
    throw GraphFault{node.Mark(), fmt::format("the key {} is missing", in_quotes(key))};
  return value.Scalar();
}

struct Graph {
  std::map<std::string, InfragraphDevice> devices;
  std::map<std::string, YAML::Node> bodies;
};

std::map<std::string, YAML::Node> by_name(const YAML::Node& list) {
  std::map<std::string, YAML::Node> found;
  for (const auto& each : list)
    found.emplace(text_of(each, "name"), YAML::Node(each));
  return found;
}

Graph read_devices(const YAML::Node& root) {
  Graph graph;
  for (const auto& body : root["devices"]) {
    const auto name = text_of(body, "name");
    auto& device = graph.devices[name];
    graph.bodies[name] = YAML::Node(body);
    for (const auto& component : body["components"]) {
      const auto count = infragraph_number(component, "count").value_or(1);
      if (count > most_infragraph_parts)
        throw GraphFault{component.Mark(), fmt::format("count: expected at most {}", most_infragraph_parts)};
      const auto own = text_of(component, "name"), choice = text_of(component, "choice");
      const auto words = infragraph_words(component, own);
      const bool is_nvswitch = (choice == "switch" || choice == "custom") && is_infragraph_nvlink(words) &&
                               words.find("pci") == std::string::npos; // slots for NVSwitches are no switches
      const auto* type = choice == "xpu" ? find_gpu_type(words + " " + infragraph_words(body, name)) : nullptr;
      device.components[own] = {static_cast<std::size_t>(count), choice, is_nvswitch,
                                std::string(type ? type->name : "")};
    }
  }
  return graph;
}

// Reads the instances of a graph.
class GraphReader {
public:
  explicit GraphReader(const YAML::Node& root)
      : root_(root), graph_(read_devices(root)), links_(by_name(root["links"])) {}

  Blueprint read() {
    for (const auto& instance : root_["instances"])
      add_instance(instance);
    const auto inside_switches = blueprint_.outside.links.size();
    for (const auto& edge : root_["edges"])
      add_edge(edge);
    for (std::size_t i = 0; i < inside_switches; ++i) // they have the type of the network to which they belong
      for (auto& link = blueprint_.outside.links[i]; const auto& end : {link.from, link.to})
        if (const auto network = networks_.find(end); network != networks_.end())
          link.cable.type = network->second;
    share_nvlinks(blueprint_.outside);
    return std::move(blueprint_);
  }
  std::vector<std::string> notes() const { return {notes_.begin(), notes_.end()}; }
  std::size_t nodes() const { return blueprint_.nodes.size(); }

private:
  // Adds the parts of a device by their paths ("cx5.0.port.1"), and those of the devices inside it.
  void add_parts(const std::string& name, const std::string& prefix, int depth, Assembly& parts,
                 std::map<std::string, std::string>& names) {
    if (depth > deepest)
      throw GraphFault{root_.Mark(), fmt::format("the device {} contains itself", in_quotes(name))};
    const auto& device = graph_.devices.at(name);
    const bool is_inside = depth > 0 || is_switch(device);
    for (const auto& [component, form] : device.components)
      for (std::size_t i = 0; i < form.count; ++i) {
        const auto path = fmt::format("{}{}.{}", prefix, component, i);
        if (form.choice == "device" && graph_.devices.contains(component)) {
          add_parts(component, path + ".", depth + 1, parts, names);
          continue;
        }
        if (form.choice == "memory")
          continue;
        // All NVSwitches become one, since messages spread over them.
        const auto plain = name_of(prefix + component, form.is_nvswitch ? 0 : i, form.is_nvswitch ? 1 : form.count);
        names[path] = plain;
        if (form.is_nvswitch && i > 0)
          continue;
        const auto kind = kind_of(form.choice, is_inside);
        ends_[plain] = form.is_nvswitch          ? InfragraphEnd::nvswitch
                       : kind == DeviceKind::cpu ? InfragraphEnd::socket
                       : kind == DeviceKind::gpu ? InfragraphEnd::gpu
                                                 : InfragraphEnd::other;
        parts.devices.push_back({plain, kind, stated("InfraGraph: " + path), 0, {}, form.model});
        if (parts.devices.size() > most_infragraph_parts)
          throw GraphFault{root_.Mark(),
                           fmt::format("the device {} has more than {} parts", in_quotes(name), most_infragraph_parts)};
      }
    const auto& body = graph_.bodies.at(name);
    auto links = by_name(body["links"]);
    std::size_t joined = 0;
    for (const auto& edge : body["edges"]) {
      const auto ends = [&](const char* key) {
        const auto end = edge[key];
        auto path = end && end.IsMap() && end["device"] && end["device"].IsScalar() && !end["device"].Scalar().empty()
                        ? end["device"].Scalar() + "."
                        : "";
        return expand_all(name, path + text_of(end, "component"), edge);
      };
      for (const auto& [from, to] : pairs_of(edge, ends("ep1"), ends("ep2"))) {
        const auto first = names.find(prefix + from), second = names.find(prefix + to);
        if (first == names.end() || second == names.end() || first->second == second->second)
          continue; // a link to memory
        if (++joined > most_edges)
          throw GraphFault{edge.Mark(),
                           fmt::format("the device {} has more than {} edges", in_quotes(name), most_edges)};
        const auto link = text_of(edge, "link");
        const auto from_end = ends_[first->second], to_end = ends_[second->second];
        const auto type = infragraph_type(infragraph_words(links[link], link), from_end, to_end);
        if (type == "pcie" && (from_end == InfragraphEnd::nvswitch || to_end == InfragraphEnd::nvswitch))
          notes_.insert("PCIe links of NVSwitches are left out, since no messages go over them");
        else
          join(parts, first->second, second->second, cable_of(links[link], link, type));
      }
    }
  }

  Cable cable_of(const YAML::Node& body, const std::string& name, string_view type) {
    auto cable = infragraph_cable(body, name, type);
    if (cable.rating.line_rate)
      notes_.insert("assumed: " + cable.source.from);
    return cable;
  }

  // Returns "nic1"; a name with a number that occurs once stays as it is.
  static std::string name_of(const std::string& name, std::size_t number, std::size_t count) {
    const bool has_number = count == 1 && is_digit(name.back());
    return has_number ? plain_name(name) : plain_name(name) + std::to_string(number);
  }

  // Its chip is called a cpu, but the chip has nothing but ports.
  static bool is_switch(const InfragraphDevice& device) {
    const auto is_part = [](const auto& component) {
      return component.second.choice == "cpu" || component.second.choice == "port";
    };
    const auto is_port = [](const auto& component) { return component.second.choice == "port"; };
    return std::ranges::all_of(device.components, is_part) && std::ranges::any_of(device.components, is_port);
  }

  static DeviceKind kind_of(const std::string& choice, bool is_inside) {
    if (choice == "cpu" && !is_inside) // a cpu inside a card or a switch is no socket
      return DeviceKind::cpu;
    return choice == "xpu" ? DeviceKind::gpu : choice == "nic" ? DeviceKind::nic : DeviceKind::network_switch;
  }

  std::vector<std::string> expand_all(const std::string& device, const std::string& text, const YAML::Node& edge) {
    auto paths = expand_path(graph_.devices, device, text);
    if (paths)
      return std::move(*paths);
    std::vector<std::string> known;
    for (const auto& [name, component] : graph_.devices.at(device).components)
      known.push_back(fmt::format("{}[0:{}]", name, component.count));
    throw GraphFault{edge.Mark(), mismatch(in_quotes(text), fmt::format("components of the device {}: {}",
                                                                        in_quotes(device), fmt::join(known, ", ")))};
  }

  static std::vector<std::pair<std::string, std::string>>
  pairs_of(const YAML::Node& edge, const std::vector<std::string>& from, const std::vector<std::string>& to) {
    const auto scheme = edge["scheme"] ? text_of(edge, "scheme") : "one2one";
    auto pairs = pairs_by_scheme(scheme, from, to);
    if (!pairs)
      throw GraphFault{edge.Mark(),
                       "scheme: " + mismatch(in_quotes(scheme), "one2one, many2many or ring, of at most 100000 edges")};
    return std::move(*pairs);
  }

  // An instance on which ranks run is a node; the parts of other instances are outside the nodes.
  void add_instance(const YAML::Node& instance) {
    const auto name = text_of(instance, "name"), device = text_of(instance, "device");
    if (!graph_.devices.contains(device))
      throw GraphFault{instance.Mark(), "device: " + mismatch(in_quotes(device), "the name of a device")};
    const auto count = static_cast<std::size_t>(std::min(infragraph_number(instance, "count").value_or(1), 1e6));
    instances_[name] = {device, count};
    auto& names = names_[device];
    Assembly parts;
    names.clear();
    ends_.clear();
    add_parts(device, "", 0, parts, names);
    share_nvlinks(parts);
    if (const auto lone = join_lone_parts(parts); !lone.empty())
      notes_.insert(fmt::format("{}: no way in the file leads from a socket to some parts; PCIe is assumed from {}",
                                device, fmt::join(lone, ", ")));
    total_ += count * parts.devices.size();
    if (count > 10000 || total_ > most_infragraph_parts)
      throw GraphFault{instance.Mark(), fmt::format("more than {} parts in all", most_infragraph_parts)};
    const bool is_node = std::any_of(parts.devices.begin(), parts.devices.end(),
                                     [](const PlannedDevice& part) { return can_run_ranks(part.kind); });
    const auto kind = plain_name(device);
    if (is_node && templates_.insert(kind).second)
      blueprint_.templates.emplace_back(kind, parts);
    for (std::size_t i = 0; i < count; ++i) {
      const auto own = count == 1 ? name_of(name, 0, 1) : numbered(plain_name(name), i, count);
      const auto separator = is_node ? "." : "-";
      for (const auto& [path, part] : names)
        places_[fmt::format("{}.{}.{}", name, i, path)] = own + separator + part;
      if (is_node) {
        blueprint_.nodes.emplace_back(own, kind);
        continue;
      }
      for (auto part : parts.devices) {
        part.name = own + "-" + part.name;
        blueprint_.outside.devices.push_back(std::move(part));
      }
      for (auto link : parts.links) {
        link.from = own + "-" + link.from;
        link.to = own + "-" + link.to;
        link.cable.type = link_type("ethernet"); // unless the switch belongs to another network
        blueprint_.outside.links.push_back(std::move(link));
      }
    }
  }

  std::vector<std::string> places_of(const YAML::Node& edge, const char* key) {
    const auto end = edge[key];
    if (!end || !end.IsMap())
      throw GraphFault{edge.Mark(), fmt::format("the key {} is missing", in_quotes(key))};
    const auto instance = text_of(end, "instance");
    const auto name = instance.substr(0, instance.find('['));
    const auto found = instances_.find(name);
    const auto numbers = found == instances_.end() ? std::nullopt : expand_index(instance, found->second.second);
    if (!numbers)
      throw GraphFault{end.Mark(),
                       "instance: " + mismatch(in_quotes(instance), "an instance with indexes, such as host[0:2]")};
    std::vector<std::string> places;
    for (const auto number : *numbers)
      for (const auto& path : expand_all(found->second.first, text_of(end, "component"), edge))
        places.push_back(fmt::format("{}.{}.{}", name, number, path));
    return places;
  }

  void add_edge(const YAML::Node& edge) {
    const auto link = text_of(edge, "link");
    const auto type = infragraph_type(infragraph_words(links_[link], link));
    for (const auto& [from, to] : pairs_of(edge, places_of(edge, "ep1"), places_of(edge, "ep2"))) {
      const auto first = places_.find(from), second = places_.find(to);
      if (first == places_.end() || second == places_.end() || first->second == second->second)
        continue;
      networks_[first->second] = networks_[second->second] = link_type(type);
      auto cable = cable_of(links_[link], link, type);
      const auto [at, is_new] =
          joined_.emplace(std::minmax(first->second, second->second), blueprint_.outside.links.size());
      if (is_new)
        blueprint_.outside.links.push_back({first->second, second->second, std::move(cable)});
      else
        *blueprint_.outside.links[at->second].cable.bandwidth += *cable.bandwidth;
    }
  }

  YAML::Node root_;
  Graph graph_;
  std::map<std::string, YAML::Node> links_;
  Blueprint blueprint_;
  std::map<std::string, std::pair<std::string, std::size_t>> instances_; // device and number of instances
  std::map<std::string, std::map<std::string, std::string>> names_; // names by device: the path and name of each part
  std::map<std::string, InfragraphEnd> ends_;                       // ends by the part's name, within one device
  std::map<std::string, LinkType> networks_; // networks by part: the type of an edge between instances that ends there
  std::set<std::string> notes_;
  std::map<std::string, std::string> places_; // places by instance and path
  std::map<std::pair<std::string, std::string>, std::size_t> joined_;
  std::set<std::string> templates_;
  std::size_t total_ = 0;
};

Error fault_in(const std::string& file, const YAML::Mark& mark, std::string message) {
  return input_error(file, fmt::format("line {}, column {}", mark.line + 1, mark.column + 1), std::move(message));
}

} // namespace

bool is_infragraph(const Sample& sample) {
  const auto has = [&](string_view word) { return sample.text.find(word) != string_view::npos; };
  return sample.xml_root.empty() && has("devices") && has("instances") && has("components");
}

Result<Imported> read_infragraph(std::string text, const std::string& file, const ImportOptions&) {
  if (text.size() > most_text)
    return file_error(ErrorKind::input, file, "larger than 16 MiB");
  try {
    auto root = YAML::Load(text);
    if (root.IsMap() && root["infrastructure"])
      root = root["infrastructure"];
    if (!root.IsMap() || !root["devices"] || !root["instances"])
      return fault_in(file, root.Mark(),
                      "the keys \"devices\" and \"instances\" are missing, which InfraGraph's files have");
    GraphReader reader(root);
    Imported imported;
    imported.machine = reader.read();
    imported.notes = reader.notes();
    if (imported.machine->nodes.empty())
      return fault_in(file, root.Mark(), "no instance has a cpu or xpu, so there is nothing that ranks run on");
    imported.description = fmt::format("InfraGraph of {}", counted(imported.machine->nodes.size(), "node"));
    return imported;
  } catch (const GraphFault& misfit) {
    return fault_in(file, misfit.mark, misfit.message);
  } catch (const YAML::Exception& failure) {
    return fault_in(file, failure.mark, "this is neither YAML nor JSON of InfraGraph: " + failure.msg);
  }
}

} // namespace kakehashi
