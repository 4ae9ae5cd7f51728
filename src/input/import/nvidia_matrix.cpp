#include "input/import/formats.hpp"

#include "base/number.hpp"
#include "input/import/assembly.hpp"
#include "input/import/known_hardware.hpp"
#include "input/import/pci_tree.hpp"
#include "input/import/text_parts.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <numeric>

namespace kakehashi {
namespace {

using std::string_view;

constexpr std::size_t most_devices_of_node = 200;
constexpr int most_nvlinks = 18; // the most NVLinks of a GPU, from Pascal to Blackwell

struct Row {
  std::string name;
  std::vector<std::string> cells;
  std::string affinity; // affinity of CPUs or of a NUMA domain; empty: none
  bool is_gpu = false;
  std::string label{}; // the system's name of an adapter, if the legend has it
};

std::vector<string_view> names_in(string_view header) {
  auto words = words_in(header);
  words.erase(std::find(words.begin(), words.end(), "CPU"), words.end());
  return words;
}

bool is_header(string_view line) {
  const auto words = words_in(line);
  return !words.empty() && words.front() == "GPU0" && std::find(words.begin(), words.end(), "X") == words.end();
}

// "NV12" → 12; 0: no NVLink.
int nvlinks(string_view cell) {
  if (!cell.starts_with("NV"))
    return 0;
  cell.remove_prefix(2);
  return std::clamp(take_number<int>(cell).value_or(0), 0, 1000);
}

// What is wrong with a cell; empty: it states how two devices are joined.
std::string fault_of(string_view cell, bool is_own) {
  constexpr string_view ways[] = {"SYS", "SOC", "NODE", "PHB", "PXB", "PIX"};
  constexpr string_view accesses[] = {"OK", "CNS", "GNS", "TNS", "NS", "DR", "U"};
  const auto is_in = [&](const auto& words) {
    return std::find(std::begin(words), std::end(words), cell) != std::end(words);
  };
  if (is_in(accesses))
    return mismatch("what `nvidia-smi topo -p2p` prints: which GPUs reach each other, but not over which links",
                    "what `nvidia-smi topo -m` prints");
  if (is_own)
    return cell == "X" ? "" : mismatch(in_quotes(cell) + " from a device to itself", "X");
  return is_in(ways) || nvlinks(cell) > 0 ? ""
                                          : mismatch(in_quotes(cell), "SYS, NODE, PHB, PXB, PIX or NV and a number");
}

// "  NIC0: mlx5_0" → the system's name.
std::string label_of(const std::vector<std::string>& lines, const std::string& name) {
  for (const auto& line : lines)
    if (const auto words = words_in(line); words.size() == 2 && words[0] == name + ":")
      return std::string(words[1]);
  return "";
}

Result<std::vector<Row>> rows_of(const std::vector<std::string>& lines, const std::string& file) {
  const auto header = std::find_if(lines.begin(), lines.end(), is_header);
  const auto names = names_in(*header);
  std::vector<Row> rows;
  for (auto line = header + 1; line != lines.end() && rows.size() < names.size(); ++line) {
    const auto words = words_in(*line);
    if (words.empty())
      break;
    const auto fault = [&](std::string message) {
      return input_error(file, fmt::format("line {}", line - lines.begin() + 1), std::move(message));
    };
    if (words.front() != names[rows.size()] || words.size() < names.size() + 1)
      return fault(mismatch(in_quotes(*line), fmt::format("{} with {} entries", names[rows.size()], names.size())));
    Row row{std::string(words[0]),
            {words.begin() + 1, words.begin() + 1 + static_cast<std::ptrdiff_t>(names.size())},
            "",
            words[0].starts_with("GPU")};
    for (std::size_t i = 0; i < row.cells.size(); ++i)
      if (auto message = fault_of(row.cells[i], i == rows.size()); !message.empty())
        return fault(std::move(message));
    if (words.size() > names.size() + 1 && words[names.size() + 1] != "N/A")
      row.affinity = words[names.size() + 1];
    row.label = label_of(lines, row.name);
    rows.push_back(std::move(row));
  }
  if (rows.size() != names.size() || rows.size() > most_devices_of_node)
    return file_error(
        ErrorKind::input, file,
        fmt::format("got {} rows, expected {}, as many as columns; is the file complete?", rows.size(), names.size()));
  return rows;
}

// Sets of rows that belong together, by union and find.
class Groups {
public:
  explicit Groups(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0); }
  std::size_t of(std::size_t member) const {
    while (parent_[member] != member)
      member = parent_[member];
    return member;
  }
  void join(std::size_t a, std::size_t b) { parent_[std::max(of(a), of(b))] = std::min(of(a), of(b)); }

private:
  std::vector<std::size_t> parent_;
};

// Devices with the same affinity are on one socket, and so are devices that reach each other inside a socket.
Groups sockets_of(const std::vector<Row>& rows) {
  Groups sockets(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const auto& cell = rows[i].cells[j];
      const bool is_near = cell == "PIX" || cell == "PXB" || cell == "PHB" || cell == "NODE";
      if (is_near || (!rows[i].affinity.empty() && rows[i].affinity == rows[j].affinity))
        sockets.join(i, j);
    }
  return sockets;
}

// All NVLinks of each row's device.
std::vector<int> nvlinks_of(const std::vector<Row>& rows) {
  std::vector<int> sums;
  for (const auto& row : rows)
    sums.push_back(std::transform_reduce(row.cells.begin(), row.cells.end(), 0, std::plus<>(), nvlinks));
  return sums;
}

// The GPUs' NVLinks: of each device all links, and if these are more than a GPU has, of switches.
struct Nvlinks {
  bool has_switch = false;
  int most = 0; // the most of a GPU
};

Nvlinks find_nvlinks(const std::vector<Row>& rows, const ImportOptions& options) {
  Nvlinks found;
  const auto sums = nvlinks_of(rows);
  found.most = *std::max_element(sums.begin(), sums.end());
  found.has_switch = found.most > (options.gpu && options.gpu->links > 0 ? options.gpu->links : most_nvlinks);
  if (found.has_switch) {
    found.most = 0;
    for (const auto& row : rows)
      for (const auto& cell : row.cells)
        found.most = std::max(found.most, nvlinks(cell));
  }
  return found;
}

void add_nvlinks(const std::vector<Row>& rows, const std::vector<std::string>& names, const GpuType& type,
                 bool has_switch, Assembly& node) {
  const auto cable = [&](int count) {
    return rated_cable(
        "nvlink", {count * type.link_gigabytes * 1e9},
        assumed(fmt::format("{} of {} GB/s, as {} has", counted(static_cast<std::size_t>(count), "NVLink"),
                            type.link_gigabytes, type.name)));
  };
  if (has_switch)
    node.devices.push_back({"nvswitch", DeviceKind::network_switch, assumed("all NVSwitches as one")});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    int links = 0;
    for (std::size_t j = 0; j < rows.size(); ++j) {
      const int count = nvlinks(rows[i].cells[j]);
      links = std::max(links, count);
      if (!has_switch && j < i && count > 0)
        node.links.push_back({names[j], names[i], cable(count)});
    }
    if (has_switch && links > 0)
      node.links.push_back({names[i], "nvswitch", cable(links)});
  }
}

// The type that so many NVLinks of a GPU let one assume.
const GpuType* type_by_nvlinks(int links) {
  return links == 0 ? nullptr : find_gpu_type(links > 12 ? "H100" : links > 6 ? "A100" : "V100");
}

// Notes what the options could state. `type`: the assumed one.
void note_types(const GpuType* type, int links, const ImportOptions& options, std::vector<std::string>& notes) {
  if (options.gpu)
    return;
  const auto slots = options.generation > 0 ? ""
                     : type ? fmt::format(", and slots of generation {} with 16 lanes", type->generation)
                            : "slots of generation 3, with 16 lanes for GPUs and 8 for adapters";
  if (type)
    notes.push_back(fmt::format("nvidia-smi does not state the type of GPUs; assumed: {}, as a GPU has {}, so "
                                "each has {} GB/s{}; --gpu NAME and --pcie GEN state otherwise",
                                type->name, counted(static_cast<std::size_t>(links), "NVLink"), type->link_gigabytes,
                                slots));
  else if (options.generation == 0)
    notes.push_back(
        fmt::format("nvidia-smi states no slots; assumed: {}; --gpu NAME and --pcie GEN state otherwise", slots));
}

// Adds the devices of the rows, with the sockets and PCIe switches between them; returns their names.
std::vector<std::string> add_devices(const std::vector<Row>& rows, const ImportOptions& options, Assembly& node,
                                     std::vector<std::string>& notes) {
  const auto sockets = sockets_of(rows);
  Groups switches(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (rows[i].cells[j] == "PIX" || rows[i].cells[j] == "PXB")
        switches.join(i, j);
  std::map<std::size_t, std::string> cpus, hubs;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i].is_gpu) // an adapter with no GPU near it does not stand for a socket
      cpus.emplace(sockets.of(i), "");
  for (auto& [group, name] : cpus) {
    name = fmt::format("cpu{}", node.devices.size());
    node.devices.push_back({name, DeviceKind::cpu, stated("nvidia-smi: affinity of the GPUs " + rows[group].affinity)});
  }
  std::vector<std::string> names;
  std::size_t gpus = 0, adapters = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& row = rows[i];
    const auto known = cpus.find(sockets.of(i));
    if (known == cpus.end())
      notes.push_back(row.name + " is near no GPU; assumed: on the first socket");
    const auto above = known == cpus.end() ? cpus.begin()->second : known->second;
    const auto group = switches.of(i);
    const bool is_shared = std::any_of(row.cells.begin(), row.cells.end(),
                                       [](const std::string& cell) { return cell == "PIX" || cell == "PXB"; });
    const auto slot = [&](DeviceKind kind) { return usual_slot(kind, options, "nvidia-smi"); };
    if (is_shared && !hubs.contains(group)) {
      hubs[group] = fmt::format("pcie-switch{}", hubs.size());
      node.devices.push_back({hubs[group], DeviceKind::network_switch, stated("nvidia-smi: PIX or PXB")});
      node.links.push_back({above, hubs[group], slot(DeviceKind::network_switch)});
    }
    const auto kind = row.is_gpu ? DeviceKind::gpu : DeviceKind::hca;
    names.push_back(row.is_gpu ? fmt::format("gpu{}", gpus++) : fmt::format("hca{}", adapters++));
    node.devices.push_back(
        {names.back(), kind, stated("nvidia-smi: " + row.name + (row.label.empty() ? "" : " " + row.label))});
    node.links.push_back({is_shared ? hubs[group] : above, names.back(), slot(kind)});
  }
  return names;
}

} // namespace

bool is_nvidia_matrix(const Sample& sample) {
  if (sample.text.substr(0, 4000).find("GPU0") == string_view::npos)
    return false;
  const auto lines = plain_lines(sample.text.substr(0, 100000));
  return std::any_of(lines.begin(), lines.end(), is_header);
}

Result<Imported> read_nvidia_matrix(std::string text, const std::string& file, const ImportOptions& stated) {
  const auto rows = rows_of(plain_lines(text), file);
  if (!rows)
    return rows.errors();
  auto options = stated;
  const auto nvlinks = find_nvlinks(*rows, options);
  if (options.gpu && nvlinks.most > options.gpu->links)
    return usage_error(fmt::format("--gpu: {} has {}, but a GPU of {} has {}", options.gpu->name,
                                   counted(static_cast<std::size_t>(options.gpu->links), "NVLink"), file,
                                   nvlinks.most));
  Imported imported;
  imported.description = "node from nvidia-smi's matrix";
  if (!options.gpu)
    options.gpu = type_by_nvlinks(nvlinks.most);
  note_types(options.gpu, nvlinks.most, stated, imported.notes);
  auto& node = imported.node.emplace();
  const auto names = add_devices(*rows, options, node, imported.notes);
  set_models(node, options.gpu, !stated.gpu);
  note_domains(imported.notes, "nvidia-smi", devices_of(node, DeviceKind::cpu).size());
  join_sockets(node, devices_of(node, DeviceKind::cpu), "");
  if (options.gpu)
    add_nvlinks(*rows, names, *options.gpu, nvlinks.has_switch, node);
  return imported;
}

} // namespace kakehashi
