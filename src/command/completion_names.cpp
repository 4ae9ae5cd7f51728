#include "command/command_line.hpp"

#include "base/data_folder.hpp"
#include "input/platform/platform_reader.hpp"
#include "input/scenario/scenario_reader.hpp"
#include "workload/benchmark/kind.hpp"
#include "workload/collective/registry.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

namespace kakehashi {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

Names shipped_files() {
  const auto folder = find_data_folder();
  Names files;
  std::error_code status;
  for (const std::string top : {"platforms", "scenarios"})
    if (folder)
      for (const auto& each : fs::recursive_directory_iterator(fs::path(*folder) / top, status))
        if (each.path().extension() == ".json" && !each.path().stem().string().ends_with(".schema"))
          files.push_back(each.path().lexically_relative(*folder));
  return files;
}

Names shipped_platforms() {
  Names names;
  for (const auto& file : shipped_files())
    if (const fs::path path(file); path.parent_path() == "platforms")
      names.push_back(path.stem());
  return names;
}

// The platform that comes after --platform, or the first word that is one, or whose scenario it is.
std::shared_ptr<const Platform> platform_of(const Names& words) {
  Names files;
  for (auto word = words.begin(); word != words.end(); ++word)
    if (word->starts_with("--platform="))
      files.insert(files.begin(), word->substr(word->find('=') + 1));
    else if (*word == "--platform" && word + 1 != words.end())
      files.insert(files.begin(), word[1]);
    else if (word->ends_with(".json"))
      files.push_back(*word);
  for (const auto& name : files) {
    const auto file = or_shipped(name, name);
    if (auto platform = read_platform(file))
      return std::make_shared<const Platform>(std::move(*platform));
    if (const auto scenario = read_scenario(file))
      return scenario->platform;
  }
  return nullptr;
}

Names names_on(const Platform& platform, bool of_fabrics) {
  Names names;
  if (of_fabrics)
    for (const auto& fabric : platform.fabrics)
      names.push_back(fabric.name);
  else
    for (const auto& device : platform.devices)
      if (can_run_ranks(device.kind))
        names.push_back(device.name);
  return names;
}

template <class Rows> Names names_in(const Rows& rows) {
  Names names;
  for (const auto& row : rows)
    names.emplace_back(row.name);
  return names;
}

} // namespace

std::string_view kind_of_names(std::string_view command, const OptionRow& row) {
  static const std::map<std::string_view, std::string_view> kinds{
      {"--benchmark", "benchmarks"},    {"--algorithm", "algorithms"}, {"--algorithms", "algorithms"},
      {"--collectives", "collectives"}, {"--fabric", "fabrics"},       {"--fabrics", "fabrics"},
      {"--ranks", "devices"},           {"validate", "platforms"}};
  const auto found = kinds.find(is_positional(row) ? command : row.names);
  return found == kinds.end() ? "" : found->second;
}

std::vector<std::string> names_of_kind(std::string_view kind, const std::vector<std::string>& words) {
  Names names;
  if (kind == "benchmarks")
    names = names_in(benchmark_kinds());
  else if (kind == "algorithms")
    names = names_in(algorithm_table());
  else if (kind == "collectives")
    names.assign(collective_names.begin(), collective_names.end());
  else if (kind == "platforms")
    names = shipped_platforms();
  else if (kind == "files")
    names = shipped_files();
  else if (const auto platform = platform_of(words))
    names = names_on(*platform, kind == "fabrics");
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

} // namespace kakehashi
