#include "input/import/readers.hpp"

#include "base/number.hpp"
#include "input/import/assembly.hpp"
#include "input/import/lines.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <numeric>

namespace kakehashi {
namespace {

using std::string_view;

constexpr std::size_t most_devices_of_node = 200;
constexpr int most_nvlinks = 18; // of a GPU, from Pascal to Blackwell
constexpr double nvlink_gigabytes = 25;

struct Row {
  std::string name;
  std::vector<std::string> cells;
  std::string affinity; // of CPUs or of a NUMA domain; empty: none
  bool is_gpu = false;
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
    if (words.size() > names.size() + 1 && words[names.size() + 1] != "N/A")
      row.affinity = words[names.size() + 1];
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

void add_nvlinks(const std::vector<Row>& rows, const std::vector<std::string>& names, Assembly& node) {
  int most = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    int count = 0;
    for (std::size_t j = 0; j < rows.size(); ++j)
      count += i == j ? 0 : nvlinks(rows[i].cells[j]);
    most = std::max(most, count);
  }
  // These are more links than a GPU has, so all links of each GPU go to switches.
  const bool has_switch = most > most_nvlinks;
  if (has_switch)
    node.devices.push_back({"nvswitch", DeviceKind::network_switch, assumed("all NVSwitches as one")});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    int links = 0;
    for (std::size_t j = 0; j < rows.size(); ++j) {
      const int count = i == j ? 0 : nvlinks(rows[i].cells[j]);
      links = std::max(links, count);
      if (!has_switch && j < i && count > 0)
        node.links.push_back({names[j], names[i],
                              rated_cable("nvlink", {count * nvlink_gigabytes * 1e9},
                                          assumed(fmt::format("{} NVLinks of 25 GB/s", count)))});
    }
    if (has_switch && links > 0)
      node.links.push_back({names[i], "nvswitch",
                            rated_cable("nvlink", {links * nvlink_gigabytes * 1e9},
                                        assumed(fmt::format("{} NVLinks of 25 GB/s", links)))});
  }
}

} // namespace

bool is_nvidia_matrix(const Sample& sample) {
  if (sample.text.substr(0, 4000).find("GPU0") == string_view::npos)
    return false;
  const auto lines = plain_lines(sample.text.substr(0, 100000));
  return std::any_of(lines.begin(), lines.end(), is_header);
}

Result<Imported> read_nvidia_matrix(std::string text, const std::string& file, const ImportOptions&) {
  const auto rows = rows_of(plain_lines(text), file);
  if (!rows)
    return rows.errors();
  Imported imported;
  imported.description = "node from nvidia-smi's matrix";
  auto& node = imported.node.emplace();
  const auto sockets = sockets_of(*rows);
  Groups switches(rows->size());
  for (std::size_t i = 0; i < rows->size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if ((*rows)[i].cells[j] == "PIX" || (*rows)[i].cells[j] == "PXB")
        switches.join(i, j);
  std::map<std::size_t, std::string> cpus, hubs;
  for (std::size_t i = 0; i < rows->size(); ++i)
    if ((*rows)[i].is_gpu) // an adapter with no GPU near it does not stand for a socket
      cpus.emplace(sockets.of(i), "");
  for (auto& [group, name] : cpus) {
    name = fmt::format("cpu{}", node.devices.size());
    node.devices.push_back(
        {name, DeviceKind::cpu, stated("nvidia-smi: affinity of the GPUs " + (*rows)[group].affinity)});
  }
  const auto slot = pcie_cable(4, 16, assumed("nvidia-smi does not state slots; lstopo's XML does"));
  std::vector<std::string> names;
  std::size_t gpus = 0, adapters = 0;
  for (std::size_t i = 0; i < rows->size(); ++i) {
    const auto& row = (*rows)[i];
    const auto known = cpus.find(sockets.of(i));
    if (known == cpus.end())
      imported.notes.push_back(row.name + " is near no GPU; assumed: on the first socket");
    auto above = known == cpus.end() ? cpus.begin()->second : known->second;
    const auto group = switches.of(i);
    const bool is_shared = std::any_of(row.cells.begin(), row.cells.end(),
                                       [](const std::string& cell) { return cell == "PIX" || cell == "PXB"; });
    if (is_shared && !hubs.contains(group)) {
      hubs[group] = fmt::format("pcie-switch{}", hubs.size());
      node.devices.push_back({hubs[group], DeviceKind::network_switch, stated("nvidia-smi: PIX or PXB")});
      node.links.push_back({above, hubs[group], slot});
    }
    names.push_back(row.is_gpu ? fmt::format("gpu{}", gpus++) : fmt::format("hca{}", adapters++));
    node.devices.push_back(
        {names.back(), row.is_gpu ? DeviceKind::gpu : DeviceKind::hca, stated("nvidia-smi: " + row.name)});
    node.links.push_back({is_shared ? hubs[group] : above, names.back(), slot});
  }
  note_domains(imported.notes, "nvidia-smi", cpus.size());
  join_sockets(node, devices_of(node, DeviceKind::cpu), "");
  add_nvlinks(*rows, names, node);
  return imported;
}

} // namespace kakehashi
