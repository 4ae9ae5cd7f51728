#include "workload/collective/libraries.hpp"
#include "workload/collective/registry.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <span>

namespace kakehashi {
namespace {

std::string operation_of(Collective collective, bool in_capitals) {
  std::string name(row_of(collective).name);
  for (auto& c : name)
    c = c == '-' ? '_' : in_capitals ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
  return name;
}

// Returns the nearest names of algorithms, the library's own or of one that it follows.
const std::vector<NamedAlgorithm>& names_of(const MpiLibrary& library) {
  return library.algorithms.empty() && library.next ? names_of(*library.next) : library.algorithms;
}

// Returns the algorithms of the operation that users of the release can name, in the order of their numbers.
std::vector<NamedAlgorithm> named(Selector selector, Collective collective, std::optional<std::string_view> release) {
  const auto& library = library_of(selector);
  std::vector<NamedAlgorithm> found;
  if (library.settings.form != SettingsForm::none)
    for (const auto& each : names_of(library))
      if (each.collective == collective && each.is_in(release.value_or(library.settings.release)))
        found.push_back(each);
  return found;
}

std::string of_open_mpi(const NamedAlgorithm& named, const AlgorithmChoice& choice) {
  const auto operation = operation_of(named.collective, false);
  auto text =
      fmt::format("--mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_{}_algorithm {}", operation, named.number);
  if (choice.segment.count > 0)
    text += fmt::format(" --mca coll_tuned_{}_algorithm_segmentsize {}", operation, choice.segment.count);
  if (named.algorithm == "chain" && choice.width > 0 && named.width == 0)
    text += fmt::format(" --mca coll_tuned_{}_algorithm_chain_fanout {}", operation, choice.width);
  return text;
}

std::string of_fujitsu(const NamedAlgorithm& named, const AlgorithmChoice& choice) {
  const auto parameter = "-mca coll_select_" + operation_of(named.collective, false) + "_algorithm";
  auto text = fmt::format("{} {}", parameter, named.function);
  if (choice.segment.count > 0)
    text += fmt::format(" {}_segmentsize {}", parameter, choice.segment.count);
  return text;
}

// The segments and numbers of chains that are worth trying; 0: no segments. Fujitsu's are those of its own rules.
constexpr std::uint64_t tried_segments[] = {0, 8 << 10, 32 << 10, 128 << 10};
constexpr std::uint64_t tried_by_fujitsu[] = {0, 1 << 10, 4 << 10, 16 << 10, 64 << 10};
constexpr int tried_chains[] = {4, 2, 8};

// The forms of libraries whose users state segments, and Open MPI's of which they state chains.
void add_forms_with_segments(SettingsForm form, const NamedAlgorithm& named, std::vector<LibraryForm>& forms) {
  const bool is_open_mpi = form == SettingsForm::open_mpi;
  const auto index = index_of_algorithm(named.collective, named.algorithm);
  const bool has_segments = algorithm_table()[index].traits.takes_segment;
  const bool has_chains = is_open_mpi && named.algorithm == "chain" && named.width == 0;
  for (const auto segment : is_open_mpi ? std::span<const std::uint64_t>(tried_segments) : tried_by_fujitsu)
    for (const auto chains : tried_chains)
      if ((segment == 0 || has_segments) && (chains == tried_chains[0] || has_chains))
        forms.push_back({{index, {segment}, has_chains ? chains : named.width},
                         named.number,
                         named.function,
                         has_chains ? chains : 0});
}

} // namespace

std::string_view releases_of_settings(Selector library, std::optional<std::string_view> release) {
  if (library != Selector::mpich_4)
    return "";
  const auto first = release.value_or(library_of(library).settings.release);
  return first.empty() ? "" : first == "4.0" ? "MPICH 4.0" : "MPICH 4.1 and later";
}

std::vector<LibraryForm> forms_of(Selector library, Collective collective, std::optional<std::string_view> release) {
  std::vector<LibraryForm> forms;
  const auto form = library_of(library).settings.form;
  for (const auto& each : named(library, collective, release))
    if (form == SettingsForm::open_mpi || form == SettingsForm::fujitsu)
      add_forms_with_segments(form, each, forms);
    else {
      const auto index = index_of_algorithm(collective, each.algorithm);
      forms.push_back({{index, {}, each.width}, each.number, each.function});
    }
  return forms;
}

std::string setting_of(Selector library, Collective collective, const AlgorithmChoice& choice,
                       std::optional<std::string_view> release) {
  const auto name = row_of(choice).name;
  const auto form = library_of(library).settings.form;
  for (const auto& each : named(library, collective, release)) {
    const bool has_width = form != SettingsForm::open_mpi || each.width == 0 || each.width == choice.width;
    if (each.algorithm != name || !has_width)
      continue;
    switch (form) {
    case SettingsForm::open_mpi: return of_open_mpi(each, choice);
    case SettingsForm::mpich:
      return fmt::format("MPIR_CVAR_{}_INTRA_ALGORITHM={}", operation_of(collective, true), each.function);
    case SettingsForm::intel_mpi: return fmt::format("I_MPI_ADJUST_{}={}", operation_of(collective, true), each.number);
    case SettingsForm::fujitsu: return of_fujitsu(each, choice);
    case SettingsForm::none: break;
    }
  }
  return "";
}

} // namespace kakehashi
