#include "input/import/formats.hpp"

#include "base/number.hpp"
#include "input/import/assembly.hpp"
#include "input/import/known_hardware.hpp"
#include "input/import/pci_tree.hpp"
#include "input/import/text_parts.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace kakehashi {
namespace {

using std::string_view;

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
  const auto names = words_in(*line);
  for (++line; line != lines.end() && table.size() < names.size(); ++line) {
    const auto words = words_in(*line);
    if (words.size() != names.size() + 1 || words.front() != names[table.size()])
      break;
    table.emplace_back(words.begin() + 1, words.end());
  }
  return table.size() == names.size() ? table : Table{};
}

// What one of the programs prints about the GPUs of a node.
struct Tables {
  string_view program;
  Table types, weights;
  Table rates{};                      // "50000-200000", of one link and of all, in MB/s; may be empty
  std::vector<std::string> domains{}; // the NUMA domain of each GPU; empty: not stated
};

// Whether RCCL takes this weight for that of a direct link; other weights belong to ways through other GPUs. Without
// weights each is taken.
bool is_direct(const Tables& tables, std::size_t i, std::size_t j) {
  if (tables.types[i][j] != "XGMI" || i == j)
    return false;
  const auto weight = tables.weights.empty() ? "15" : tables.weights[i][j];
  return weight == "13" || weight == "15" || weight == "41";
}

Cable xgmi_cable(const Tables& tables, std::size_t i, std::size_t j, const GpuType& type) {
  if (!tables.rates.empty()) {
    const auto& text = tables.rates[i][j];
    if (const auto rate = number_in<std::uint32_t>(text.substr(text.find('-') + 1)).value_or(0); rate > 0)
      return stated_cable("nvlink", {rate * 1e6}, stated(fmt::format("{}: {} MB/s of xGMI", tables.program, text)));
  }
  return rated_cable("nvlink", {type.link_gigabytes * 1e9},
                     assumed(fmt::format("one xGMI link of {} GB/s", type.link_gigabytes)));
}

// Names the socket of each GPU. Without domains one socket has all of them.
std::vector<std::string> add_sockets(const Tables& tables, Imported& imported) {
  auto& node = *imported.node;
  auto domains = tables.domains;
  if (domains.empty())
    imported.notes.push_back(fmt::format("{} does not state sockets: there is one, or as many as --sockets states, to "
                                         "which GPUs are dealt in order",
                                         tables.program));
  domains.resize(tables.types.size(), domains.empty() ? "0" : domains.front());
  std::map<std::string, std::string> sockets;
  for (const auto& domain : domains)
    sockets.emplace(domain, "");
  for (auto& [domain, name] : sockets) {
    name = fmt::format("cpu{}", node.devices.size());
    node.devices.push_back({name, DeviceKind::cpu,
                            tables.domains.empty()
                                ? assumed(fmt::format("{} does not state sockets", tables.program))
                                : stated(fmt::format("{}: NUMA domain {}", tables.program, shortened(domain, 20)))});
  }
  std::vector<std::string> names;
  for (const auto& domain : domains)
    names.push_back(sockets.at(domain));
  return names;
}

// Notes what --gpu would state, if the rates of links or of slots are assumed.
void note_type(const Tables& tables, const GpuType& type, const ImportOptions& stated_ones,
               std::vector<std::string>& notes) {
  if (stated_ones.gpu)
    return;
  const bool has_rates = std::ranges::any_of(tables.rates, [](const auto& row) {
    return std::ranges::any_of(row, [](const std::string& cell) { return cell.find('-') != std::string::npos; });
  });
  notes.push_back(fmt::format(
      "{} does not state the type of GPUs; assumed: {}, so {}slots of generation {} with 16 lanes; --gpu NAME and "
      "--pcie GEN state otherwise, and the file that RCCL writes with NCCL_TOPO_DUMP_FILE=topo.xml has all of it",
      tables.program, type.name,
      has_rates ? "" : fmt::format("one xGMI link of {} GB/s between two, and ", type.link_gigabytes),
      stated_ones.generation > 0 ? stated_ones.generation : type.generation));
}

Result<Imported> read_tables(const Tables& tables, const std::string& file, const ImportOptions& stated_ones) {
  const auto count = tables.types.size();
  const auto fits = [&](const Table& table) { return table.empty() || table.size() == count; };
  if (count == 0 || count > most_gpus || !fits(tables.weights) || !fits(tables.rates))
    return file_error(ErrorKind::input, file,
                      fmt::format("a table of weights or link types is missing or not complete; expected all that "
                                  "`{}` prints",
                                  tables.program == "rocm-smi" ? "rocm-smi --showtopo" : "amd-smi topology"));
  auto options = stated_ones;
  if (!options.gpu)
    options.gpu = find_gpu_type("MI250");
  Imported imported;
  imported.description = fmt::format("node from {}'s tables", tables.program);
  auto& node = imported.node.emplace();
  const auto sockets = add_sockets(tables, imported);
  for (std::size_t i = 0; i < count; ++i) {
    const auto name = fmt::format("gpu{}", i);
    node.devices.push_back({name, DeviceKind::gpu, stated(fmt::format("{}: GPU{}", tables.program, i))});
    node.links.push_back({sockets[i], name, usual_slot(DeviceKind::gpu, options, tables.program)});
  }
  set_models(node, options.gpu, !stated_ones.gpu);
  const auto cpus = devices_of(node, DeviceKind::cpu);
  note_domains(imported.notes, tables.program, cpus.size());
  join_sockets(node, cpus, "AMD EPYC");
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = i + 1; j < count; ++j)
      if (is_direct(tables, i, j))
        node.links.push_back(
            {fmt::format("gpu{}", i), fmt::format("gpu{}", j), xgmi_cable(tables, i, j, *options.gpu)});
  note_type(tables, *options.gpu, stated_ones, imported.notes);
  return imported;
}

} // namespace

bool is_rocm_matrix(const Sample& sample) {
  return sample.text.find("Link Type between two GPUs") != string_view::npos;
}

Result<Imported> read_rocm_matrix(std::string text, const std::string& file, const ImportOptions& options) {
  const auto lines = plain_lines(text);
  Tables tables{"rocm-smi", table_of(lines, "Link Type between two GPUs"), table_of(lines, "Weight between two GPUs")};
  for (const string_view line : lines)
    if (line.find("Numa Node:") != string_view::npos)
      tables.domains.emplace_back(words_in(line).back());
  if (tables.weights.empty())
    tables.types.clear();
  if (tables.domains.size() > tables.types.size())
    tables.domains.resize(tables.types.size());
  return read_tables(tables, file, options);
}

bool is_amd_matrix(const Sample& sample) {
  return sample.text.find("LINK TYPE TABLE") != string_view::npos;
}

Result<Imported> read_amd_matrix(std::string text, const std::string& file, const ImportOptions& options) {
  const auto lines = plain_lines(text);
  return read_tables({"amd-smi", table_of(lines, "LINK TYPE TABLE"), table_of(lines, "WEIGHT TABLE"),
                      table_of(lines, "NUMA BW TABLE")},
                     file, options);
}

} // namespace kakehashi
