#include "input/platform/mpi_reader.hpp"

#include "input/platform/source_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kakehashi {
namespace {

using nlohmann::json;

void check_key(const json& entry, const char* key, bool takes_it, const std::string& place, const std::string& word,
               Faults& faults) {
  if (entry.is_object() && entry.contains(key) && !takes_it)
    faults.add(pointer_to(place, std::string(key)), fmt::format("{} does not take this key", word));
}

std::optional<AlgorithmChoice> read_algorithm(const json& entry, Collective collective, const std::string& place,
                                              Faults& faults) {
  const auto& name = entry.is_object() ? entry["name"] : entry;
  const auto word = name.get<std::string>();
  const auto index = find_algorithm(collective, word);
  if (!index) {
    std::vector<std::string> names;
    for (const auto& each : algorithm_names)
      if (each.collective == collective)
        names.emplace_back(each.name);
    faults.add(entry.is_object() ? place + "/name" : place,
               mismatch(show(name), fmt::format("one of \"{}\"", fmt::join(names, "\", \""))), closest(word, names));
    return std::nullopt;
  }
  AlgorithmChoice choice{*index, {}, 0};
  if (!entry.is_object())
    return choice;
  check_key(entry, "segment", takes_segment(algorithm_names[*index]), place, word, faults);
  check_key(entry, "width", takes_width(algorithm_names[*index]), place, word, faults);
  choice.segment = read_field(entry, place, "segment", bytes_text, faults).value_or(Bytes{});
  choice.width = entry.value("width", 0);
  return choice;
}

} // namespace

MpiSettings read_mpi(const json& root, Faults& faults) {
  MpiSettings settings;
  if (!root.contains("mpi"))
    return settings;
  const json& mpi = root["mpi"];
  settings.selector = read_name<Selector>(mpi, "collectives", selector_names);
  if (mpi.contains("algorithms"))
    for (std::size_t i = 0; i < collective_count; ++i) {
      const std::string name(collective_names[i]);
      if (mpi["algorithms"].contains(name))
        settings.algorithms[i] = read_algorithm(mpi["algorithms"][name], static_cast<Collective>(i),
                                                pointer_to("/mpi/algorithms", name), faults);
    }
  settings.reduction = read_field(mpi, "/mpi", "reduction", per_byte_text, faults);
  if (mpi.contains("source") && !settings.reduction)
    faults.add("/mpi/source", "there is no \"reduction\" that could come from it");
  if (settings.reduction)
    settings.source = read_source(mpi, {});
  return settings;
}

} // namespace kakehashi
