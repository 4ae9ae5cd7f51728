#include "command/node_sheets.hpp"

#include "base/data_folder.hpp"
#include "input/import/assembly.hpp"
#include "input/import/compose.hpp"
#include "input/import/known_hardware.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace kakehashi {
namespace {

namespace fs = std::filesystem;

Result<NodeSheet> read_file(const std::string& file) {
  const auto document = read_json(file);
  return document ? read_node_sheet(*document) : Result<NodeSheet>(document.errors());
}

// The names and files of the sheets, in order.
Result<std::vector<std::pair<std::string, std::string>>> sheet_files() {
  const auto folder = find_data_folder();
  if (!folder)
    return folder.errors();
  std::vector<std::pair<std::string, std::string>> files;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(fs::path(*folder) / "nodes", none))
    if (entry.path().extension() == ".json" && entry.path().stem().extension() != ".schema")
      files.emplace_back(entry.path().stem().string(), entry.path().string());
  std::ranges::sort(files);
  return files;
}

// Leaves out all but the first GPUs, and what is below PCIe switches that have none of these.
void keep_gpus(Assembly& node, std::size_t count) {
  std::set<std::string> gone;
  const auto gpus = devices_of(node, DeviceKind::gpu);
  gone.insert(gpus.begin() + static_cast<std::ptrdiff_t>(count), gpus.end());
  const auto below = [&](const std::string& name) {
    std::vector<std::string> names;
    for (const auto& link : node.links)
      if (link.from == name && link.cable.type == link_type("pcie"))
        names.push_back(link.to);
    return names;
  };
  const auto is_gpu = [&](const std::string& name) { return std::ranges::find(gpus, name) != gpus.end(); };
  for (const auto& device : node.devices) {
    const auto names = below(device.name);
    const bool had_gpus = std::ranges::any_of(names, is_gpu);
    const bool is_kept =
        std::ranges::any_of(names, [&](const auto& each) { return is_gpu(each) && !gone.contains(each); });
    if (gone.contains(device.name) || (device.kind == DeviceKind::network_switch && had_gpus && !is_kept)) {
      gone.insert(device.name);
      gone.insert(names.begin(), names.end());
    }
  }
  std::erase_if(node.devices, [&](const PlannedDevice& device) { return gone.contains(device.name); });
  std::erase_if(node.links,
                [&](const PlannedLink& link) { return gone.contains(link.from) || gone.contains(link.to); });
  std::erase_if(node.adapters, [&](const std::string& name) { return gone.contains(name); });
}

} // namespace

Result<std::vector<NodeSheet>> shipped_nodes() {
  const auto files = sheet_files();
  if (!files)
    return files.errors();
  std::vector<NodeSheet> sheets;
  for (const auto& [name, file] : *files) {
    auto sheet = read_file(file);
    if (!sheet)
      return sheet.errors();
    sheets.push_back(std::move(*sheet));
  }
  return sheets;
}

Result<NodeSheet> find_node(const std::string& name, int gpus) {
  const auto files = sheet_files();
  if (!files)
    return files.errors();
  std::vector<std::string> names;
  std::string path = name.ends_with(".json") ? name : "";
  for (const auto& [known, file] : *files) {
    names.push_back(known);
    if (known == name)
      path = file;
  }
  if (const auto processor = path.empty() ? known_processor(name) : Result<std::string>(Errors{}))
    return usage_error(fmt::format("--node: got {}, which is a processor", in_quotes(name)),
                       "--processor " + *processor);
  if (path.empty())
    return usage_error(fmt::format("--node: {}", mismatch(in_quotes(name), fmt::format("one of {}, or the .json file "
                                                                                       "of such a data sheet",
                                                                                       fmt::join(names, ", ")))),
                       closest(name, names));
  auto sheet = read_file(path);
  if (!sheet)
    return sheet;
  auto& node = sheet->node;
  for (auto& link : node.links)
    if (link.cable.latency == Seconds{})
      link.cable = with_usual_latency(std::move(link.cable));
  if (sheet->domain && sheet->domain->link.latency == Seconds{})
    sheet->domain->link = with_usual_latency(std::move(sheet->domain->link));
  const auto all = devices_of(node, DeviceKind::gpu).size();
  if (static_cast<std::size_t>(gpus) > all)
    return usage_error(fmt::format("--gpus: got {}, but {} has {}", gpus, sheet->name, counted(all, "GPU")));
  if (gpus > 0) {
    keep_gpus(node, static_cast<std::size_t>(gpus));
    if (sheet->domain) // all GPUs of a node are in its domain
      sheet->domain->joins = fmt::format("gpu[0-{}]", gpus - 1);
  }
  if (node.processor.empty())
    return sheet;
  DataSheet processor;
  processor.processor = node.processor;
  if (auto errors = complete(node, processor); !errors.empty())
    return errors;
  return sheet;
}

} // namespace kakehashi
