#include "input/platform/mpi_reader.hpp"

#include "base/file.hpp"
#include "input/platform/own_algorithm_reader.hpp"
#include "input/platform/part_readers.hpp"
#include "workload/collective/libraries.hpp"
#include "workload/collective/registry.hpp"

#include <algorithm>
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

// Reads the user's own file, which takes no parameters.
std::optional<AlgorithmChoice> own_choice(const std::string& file, Collective collective, const std::string& place,
                                          Faults& faults, Errors& elsewhere) {
  auto own = read_own_algorithm(file);
  if (!own)
    elsewhere.insert(elsewhere.end(), own.errors().begin(), own.errors().end());
  else if ((*own)->collective != collective)
    faults.add(place, mismatch(fmt::format("{}, an algorithm of {}", file, row_of((*own)->collective).name),
                               fmt::format("one of {}", row_of(collective).name)));
  else
    return AlgorithmChoice{0, {}, 0, std::move(*own)};
  return std::nullopt;
}

std::optional<AlgorithmChoice> read_algorithm(const json& entry, Collective collective, const std::string& place,
                                              Faults& faults, Errors& elsewhere) {
  const auto& name = entry.is_object() ? entry["name"] : entry;
  const auto word = name.get<std::string>();
  if (is_own_algorithm(word)) {
    check_key(entry, "segment", false, place, word, faults);
    check_key(entry, "width", false, place, word, faults);
    return own_choice(beside(faults.file(), word), collective, place, faults, elsewhere);
  }
  const auto index = find_algorithm(collective, word);
  if (!index) {
    std::vector<std::string> names;
    for (const auto& each : algorithm_table())
      if (each.collective == collective)
        names.emplace_back(each.name);
    faults.add(entry.is_object() ? place + "/name" : place,
               mismatch(show(name), fmt::format("one of \"{}\"", fmt::join(names, "\", \""))), closest(word, names));
    return std::nullopt;
  }
  const AlgorithmChoice choice{*index, {}, 0};
  if (!entry.is_object())
    return choice;
  check_key(entry, "segment", algorithm_table()[*index].traits.takes_segment, place, word, faults);
  check_key(entry, "width", algorithm_table()[*index].traits.takes_width, place, word, faults);
  return read_fields(entry, place, {}, faults, choice);
}

// Gives kinds of devices that a list leaves out the usual time.
void fill(const json& mpi, const char* key, std::optional<PerKind<SecondsPerByte>>& times,
          const PerKind<SecondsPerByte>& usual) {
  if (!times || !mpi[key].is_object() || mpi[key].contains("any"))
    return;
  for (std::size_t kind = 0; kind < device_kind_count; ++kind)
    if (!mpi[key].contains(device_kind_names[kind]))
      (*times)[kind] = usual[kind];
}

// Reads the library's tables, and the user's own rows, which come before these.
void read_tables(const json& mpi, const std::string& file, MpiSettings& settings, Faults& faults, Errors& elsewhere) {
  const auto report = [&](const Errors& errors) { elsewhere.insert(elsewhere.end(), errors.begin(), errors.end()); };
  if (mpi.contains("library")) {
    if (mpi.contains("collectives") || mpi.contains("rules"))
      return faults.add("/mpi/library", "takes the place of \"collectives\" and \"rules\"; leave one of them out");
    const auto own_file = beside(file, mpi["library"].get<std::string>());
    const auto own = read_own_library(own_file);
    if (!own)
      return report(own.errors());
    if (!(*own)->next)
      return report(
          {input_error(own_file, "", "there is no \"follows\", the library that decides where no row holds")});
    settings.selector = followed_by(**own);
    settings.rules = std::make_shared<const CollectiveRules>(rules_of(*own, own_file));
    return;
  }
  if (settings.selector)
    report(faults_of_library(*settings.selector));
  if (!mpi.contains("rules"))
    return;
  if (!settings.selector)
    return faults.add("/mpi/rules", "there is no \"collectives\", whose rules these could be");
  auto rules = read_rules(beside(file, mpi["rules"].get<std::string>()), *settings.selector);
  if (rules)
    settings.rules = std::make_shared<const CollectiveRules>(std::move(*rules));
  else
    report(rules.errors());
}

} // namespace

MpiSettings read_mpi(const JsonDocument& document, Faults& faults, Errors& elsewhere) {
  const json& root = *document.root;
  if (!root.contains("mpi"))
    return {};
  const json& mpi = root["mpi"];
  auto settings = read_fields<MpiSettings>(mpi, "/mpi", {}, faults);
  if (mpi.contains("algorithms"))
    for (std::size_t i = 0; i < collective_count; ++i) {
      const std::string name(collective_names[i]);
      if (mpi["algorithms"].contains(name))
        settings.algorithms[i] = read_algorithm(mpi["algorithms"][name], static_cast<Collective>(i),
                                                pointer_to("/mpi/algorithms", name), faults, elsewhere);
    }
  read_tables(mpi, document.file, settings, faults, elsewhere);
  const bool has_times = settings.states_times();
  const bool has_costs = has_times || settings.full_node_factor || settings.network_polling || settings.after_work ||
                         settings.after_work_copy;
  if (mpi.contains("source") && !has_costs)
    faults.add("/mpi/source", "there is no time or factor, such as \"reduction\", that could come from it");
  if (has_times && !mpi.contains("source"))
    settings.source = {}; // the source of the usual times no longer applies
  else if (!has_times)
    settings.source = MpiSettings{}.source; // that of the usual times, whatever costs come from elsewhere
  fill(mpi, "reduction", settings.reduction, usual_reduction);
  fill(mpi, "copy", settings.copy, usual_copy);
  return settings;
}

std::optional<MpiSettings> with_library(MpiSettings settings, Collective collective, std::string_view name) {
  const auto tables = std::find(selector_names.begin(), selector_names.end(), name);
  if (tables != selector_names.end()) {
    settings.selector = static_cast<Selector>(tables - selector_names.begin());
    settings.rules = nullptr;
    return settings;
  }
  const auto algorithm = find_algorithm(collective, name);
  if (!algorithm)
    return std::nullopt;
  settings.algorithms[static_cast<std::size_t>(collective)] = AlgorithmChoice{*algorithm, {}, 0};
  return settings;
}

namespace {

// The library has its selections as strings, each from its first operation to a NUL.
std::optional<std::string> selection_in(const std::string& library, std::string_view entry) {
  const std::string_view begin = "{\"collective=";
  for (auto at = library.find(begin); at != std::string::npos; at = library.find(begin, at + 1)) {
    auto text = library.substr(at, library.find('\0', at) - at);
    if (text.find(entry) != std::string::npos)
      return text;
  }
  return std::nullopt;
}

std::string_view release_of(const std::string& text) {
  if (text.find("MPIR_Barrier_intra_k_dissemination") != std::string::npos)
    return "4.1";
  return text.find("MPIR_Barrier_intra_dissemination") != std::string::npos ? "4.0" : "";
}

Result<MpichBase> read_library(const std::string& text, const std::string& file) {
  auto mpir = selection_in(text, "\"algorithm=MPIR_");
  if (!mpir)
    return input_error(file, "", mismatch("a library without a selection of algorithms", "libmpich.so of MPICH 4"));
  MpichBase base{{file, std::move(*mpir)}, {}, release_of(text)};
  if (auto compositions = selection_in(text, "\"composition="))
    base.compositions = MpichSelection{file, std::move(*compositions)};
  return base;
}

} // namespace

Result<MpichBase> read_mpich_base(const std::vector<std::string>& files) {
  MpichBase base;
  for (const auto& file : files) {
    auto text = read_text(file, std::size_t{1} << 30);
    if (!text)
      return text.errors();
    if (text->starts_with("\x7f"
                          "ELF"))
      return read_library(*text, file);
    if (&file == &files.front()) {
      base.release = release_of(*text);
      base.mpir = {file, std::move(*text)};
    } else
      base.compositions = MpichSelection{file, std::move(*text)};
  }
  return base;
}

} // namespace kakehashi
