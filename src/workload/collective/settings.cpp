#include "workload/collective/libraries.hpp"
#include "workload/collective/registry.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace kakehashi {
namespace {

// I_MPI_ADJUST_<operation> as in the reference of Intel MPI Library 2021. Numbers that are missing here belong to forms
// that are not modelled.
struct IntelNumber {
  Collective collective;
  std::string_view name;
  int number;
};
constexpr IntelNumber intel_numbers[] = {{Collective::allreduce, "recursive-doubling", 1},
                                         {Collective::allreduce, "rabenseifner", 2},
                                         {Collective::allreduce, "reduce-bcast", 3},
                                         {Collective::allreduce, "ring", 8},
                                         {Collective::alltoall, "bruck", 1},
                                         {Collective::alltoall, "linear", 2},
                                         {Collective::alltoall, "pairwise", 3},
                                         {Collective::allgather, "recursive-doubling", 1},
                                         {Collective::allgather, "bruck", 2},
                                         {Collective::allgather, "ring", 3},
                                         {Collective::bcast, "binomial", 1},
                                         {Collective::reduce, "binomial", 2}};

std::string operation_of(Collective collective, bool in_capitals) {
  std::string name(row_of(collective).name);
  for (auto& c : name)
    c = c == '-' ? '_' : in_capitals ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
  return name;
}

// Whether the release has the algorithm with that number. For releases before 4.1, the last of these decides.
bool has(Selector library, Collective collective, int number) {
  return library == Selector::open_mpi_50 || open_mpi_since(collective, number) != "5.0";
}

std::string of_open_mpi(Selector library, Collective collective, std::string_view name, Bytes segment, int width) {
  constexpr int most = 16;
  for (int number = 1; number <= most; ++number) {
    const auto algorithm = open_mpi_algorithm(collective, number);
    if (!algorithm || !has(library, collective, number) || algorithm->name != name ||
        (algorithm->width > 0 && algorithm->width != width))
      continue;
    const auto operation = operation_of(collective, false);
    auto text = fmt::format("--mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_{}_algorithm {}", operation, number);
    if (segment.count > 0)
      text += fmt::format(" --mca coll_tuned_{}_algorithm_segmentsize {}", operation, segment.count);
    if (name == "chain" && width > 0 && algorithm->width == 0)
      text += fmt::format(" --mca coll_tuned_{}_algorithm_chain_fanout {}", operation, width);
    return text;
  }
  return "";
}

// Cray MPICH and MPICH 3 have the functions of 4.0.
std::string_view usual_release(Selector library) {
  return library == Selector::mpich_4 ? "4.1" : "4.0";
}

// The segments and numbers of chains that are worth trying; 0: no segments.
constexpr std::uint64_t tried_segments[] = {0, 8 << 10, 32 << 10, 128 << 10};
constexpr int tried_chains[] = {4, 2, 8};

std::vector<LibraryForm> forms_of_open_mpi(Selector library, Collective collective) {
  std::vector<LibraryForm> forms;
  for (int number = 1; const auto algorithm = open_mpi_algorithm(collective, number); ++number) {
    if (!has(library, collective, number))
      continue;
    const auto index = index_of_algorithm(collective, algorithm->name);
    const bool has_segments = algorithm_table()[index].traits.takes_segment;
    const bool has_chains = algorithm->name == "chain" && algorithm->width == 0;
    for (const auto segment : tried_segments)
      for (const auto chains : tried_chains)
        if ((segment == 0 || has_segments) && (chains == tried_chains[0] || has_chains))
          forms.push_back(
              {{index, {segment}, has_chains ? chains : algorithm->width}, number, {}, has_chains ? chains : 0});
  }
  return forms;
}

} // namespace

std::string_view releases_of_settings(Selector library, std::optional<std::string_view> release) {
  if (library != Selector::mpich_4)
    return "";
  const auto first = release.value_or(usual_release(library));
  return first.empty() ? "" : first == "4.0" ? "MPICH 4.0" : "MPICH 4.1 and later";
}

std::vector<LibraryForm> forms_of(Selector library, Collective collective, std::optional<std::string_view> release) {
  std::vector<LibraryForm> forms;
  switch (library) {
  case Selector::open_mpi:
  case Selector::open_mpi_41:
  case Selector::open_mpi_50: return forms_of_open_mpi(library, collective);
  case Selector::mpich:
  case Selector::mpich_4:
  case Selector::cray_mpich:
    for (const auto& each : mpich_functions())
      if (each.collective == collective && each.is_in(release.value_or(usual_release(library))))
        forms.push_back(
            {{index_of_algorithm(collective, each.algorithm.name), {}, each.algorithm.width}, 0, each.name});
    return forms;
  case Selector::intel_mpi:
  case Selector::intel_mpi_2019:
  case Selector::intel_mpi_2021:
    for (const auto& row : intel_numbers)
      if (row.collective == collective)
        forms.push_back({{index_of_algorithm(collective, row.name), {}, 0}, row.number});
    return forms;
  default: return forms;
  }
}

std::string setting_of(Selector library, Collective collective, const AlgorithmChoice& choice,
                       std::optional<std::string_view> release) {
  const auto name = algorithm_table()[choice.algorithm].name;
  switch (library) {
  case Selector::open_mpi:
  case Selector::open_mpi_41:
  case Selector::open_mpi_50: return of_open_mpi(library, collective, name, choice.segment, choice.width);
  case Selector::mpich:
  case Selector::mpich_4:
  case Selector::cray_mpich:
    for (const auto& each : mpich_functions())
      if (each.collective == collective && each.algorithm.name == name &&
          each.is_in(release.value_or(usual_release(library))))
        return fmt::format("MPIR_CVAR_{}_INTRA_ALGORITHM={}", operation_of(collective, true), each.name);
    return "";
  case Selector::intel_mpi:
  case Selector::intel_mpi_2019:
  case Selector::intel_mpi_2021: {
    const auto found = std::ranges::find_if(
        intel_numbers, [&](const auto& row) { return row.collective == collective && row.name == name; });
    return found == std::end(intel_numbers)
               ? ""
               : fmt::format("I_MPI_ADJUST_{}={}", operation_of(collective, true), found->number);
  }
  default: return "";
  }
}

} // namespace kakehashi
