#include "input/import/readers.hpp"

#include "input/import/assembly.hpp"
#include "input/import/lines.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace kakehashi {
namespace {

using std::string_view;

constexpr string_view title_of_types = "Link Type between two GPUs";
constexpr std::size_t most_gpus = 200;

// The cells of a table. Below its title a line names the GPUs, and then each GPU has a line. Empty: there is no table,
// or it has not as many rows as columns.
using Table = std::vector<std::vector<std::string>>;

Table table_of(const std::vector<std::string>& lines, string_view title) {
  Table table;
  auto line = std::find_if(lines.begin(), lines.end(),
                           [&](const std::string& each) { return each.find(title) != std::string::npos; });
  if (line == lines.end() || ++line == lines.end())
    return table;
  for (++line; line != lines.end() && line->starts_with("GPU"); ++line) {
    const auto words = words_in(*line);
    table.emplace_back(words.begin() + 1, words.end());
  }
  const bool is_square =
      std::all_of(table.begin(), table.end(), [&](const auto& row) { return row.size() == table.size(); });
  return is_square ? table : Table{};
}

// Whether RCCL takes this weight for that of a direct link; other weights belong to ways through other GPUs.
bool is_direct(const std::string& weight) {
  return weight == "13" || weight == "15" || weight == "41";
}

} // namespace

bool is_rocm_matrix(const Sample& sample) {
  return sample.text.find(title_of_types) != string_view::npos;
}

Result<Imported> read_rocm_matrix(std::string text, const std::string& file, const ImportOptions&) {
  const auto lines = plain_lines(text);
  const auto types = table_of(lines, title_of_types), weights = table_of(lines, "Weight between two GPUs");
  const auto count = types.size();
  if (count == 0 || count > most_gpus || weights.size() != count)
    return file_error(ErrorKind::input, file,
                      "a table of weights or link types is missing or not complete; expected all that `rocm-smi "
                      "--showtopo` prints");
  std::vector<std::string> domains; // the NUMA domain of each GPU
  for (const string_view line : lines)
    if (line.find("Numa Node:") != string_view::npos)
      domains.emplace_back(words_in(line).back());
  domains.resize(count, domains.empty() ? "0" : domains.front());

  Imported imported;
  imported.description = "node from rocm-smi's tables";
  auto& node = imported.node.emplace();
  std::map<std::string, std::string> sockets;
  for (const auto& domain : domains)
    sockets.emplace(domain, "");
  for (auto& [domain, name] : sockets) {
    name = fmt::format("cpu{}", node.devices.size());
    node.devices.push_back({name, DeviceKind::cpu, stated("rocm-smi: NUMA domain " + shortened(domain, 20))});
  }
  for (std::size_t i = 0; i < count; ++i) {
    const auto name = fmt::format("gpu{}", i);
    node.devices.push_back({name, DeviceKind::gpu, stated(fmt::format("rocm-smi: GPU{}", i))});
    node.links.push_back(
        {sockets.at(domains[i]), name, pcie_cable(4, 16, assumed("rocm-smi does not state slots; lstopo's XML does"))});
  }
  note_domains(imported.notes, "rocm-smi", sockets.size());
  join_sockets(node, devices_of(node, DeviceKind::cpu), "AMD EPYC");
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = i + 1; j < count; ++j)
      if (types[i][j] == "XGMI" && is_direct(weights[i][j]))
        node.links.push_back({fmt::format("gpu{}", i), fmt::format("gpu{}", j),
                              rated_cable("nvlink", {50e9}, assumed("one xGMI link of 50 GB/s"))});
  imported.notes.push_back(
      "rocm-smi states neither models nor numbers of links: each xGMI link is assumed to be one of "
      "50 GB/s, as MI200s have; the file that RCCL writes with NCCL_TOPO_DUMP_FILE=topo.xml "
      "states them");
  return imported;
}

} // namespace kakehashi
