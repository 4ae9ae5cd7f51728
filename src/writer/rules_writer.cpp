#include "writer/rules_writer.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <fmt/ostream.h>
#include <fmt/ranges.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

namespace kakehashi {
namespace {

using Json = nlohmann::ordered_json;
using enum Collective;

// Numbers of operations in Open MPI's files of rules.
constexpr std::pair<Collective, int> open_mpi_ids[] = {
    {allgather, 0}, {allgatherv, 1},      {allreduce, 2}, {alltoall, 3}, {alltoallv, 4},
    {barrier, 6},   {bcast, 7},           {exscan, 8},    {gather, 9},   {gatherv, 10},
    {reduce, 11},   {reduce_scatter, 12}, {scan, 14},     {scatter, 15}, {scatterv, 16}};

// Whether coll/tuned uses sizes for it.
bool goes_by_sizes(Collective collective) {
  return collective != exscan && collective != gatherv && collective != scan && collective != scatterv;
}

// Returns the size that Open MPI compares with a rule's size.
std::uint64_t open_mpi_size(Collective collective, const TunedSize& each) {
  switch (collective) {
  case allgather:
  case alltoall:
  case gather:
  case scatter:
  case reduce_scatter: return each.all;
  default: return each.block;
  }
}

// Returns the operations of the proposed placement with changes.
std::vector<const TunedOperation*> changed_operations(const Tuning& tuning) {
  std::vector<const TunedOperation*> found;
  for (const auto& operation : tuning.operations)
    if (operation.placement == tuning.placement && std::ranges::any_of(operation.sizes, &TunedSize::is_changed))
      found.push_back(&operation);
  return found;
}

std::string heading_of(const Tuning& tuning) {
  return fmt::format("by kakehashi tune: {} on {}, fabric {}, {} ranks, {}",
                     selector_names[static_cast<std::size_t>(tuning.library)], tuning.platform, tuning.fabric,
                     tuning.ranks, tuning.placements[tuning.placement].name);
}

} // namespace

std::map<Collective, std::vector<const TunedOperation*>> changed_by_collective(const Tuning& tuning) {
  std::map<Collective, std::vector<const TunedOperation*>> found;
  std::set<Collective> changed;
  for (const auto* operation : changed_operations(tuning))
    changed.insert(operation->collective);
  for (const auto& operation : tuning.operations)
    if (operation.placement == tuning.placement && changed.contains(operation.collective))
      found[operation.collective].push_back(&operation);
  return found;
}

std::string name_in_rules(Collective collective) {
  std::string name(row_of(collective).name);
  std::ranges::replace(name, '-', '_');
  return name;
}

RuleGrid rule_grid(const Tuning& tuning) {
  RuleGrid grid{heading_of(tuning), {}};
  for (const auto& [collective, communicators] : changed_by_collective(tuning)) {
    if (!goes_by_sizes(collective))
      continue;
    GridOperation operation{collective, {}};
    for (const auto* each : communicators) {
      auto& before = operation.communicators;
      if (!before.empty())
        before.back().ranks_below = each->ranks;
      before.push_back({each->ranks, each->ranks + 1, {}});
      for (const auto& range : ranges_of(*each)) {
        const auto& first = *range.first;
        auto& rules = before.back().rules;
        rules.push_back({rules.empty() ? 0 : open_mpi_size(collective, first), 0, 0, {}});
        if (first.is_changed)
          rules.back() = {rules.back().from, first.form.number, first.form.fan_out, first.form.choice.segment,
                          first.chosen.name};
      }
    }
    grid.operations.push_back(std::move(operation));
  }
  return grid;
}

void write_open_mpi_rules(const RuleGrid& grid, std::ostream& out) {
  std::vector<std::pair<int, const GridOperation*>> operations;
  for (const auto& [collective, id] : open_mpi_ids)
    for (const auto& operation : grid.operations)
      if (operation.collective == collective && !operation.communicators.empty())
        operations.push_back({id, &operation});
  fmt::print(out, "# {}\n{}  # operations\n", grid.heading, operations.size());
  const std::vector<GridRule> own_choice(1);
  for (const auto& [id, operation] : operations) {
    std::map<int, const std::vector<GridRule>*> sections{{0, &own_choice}}; // each up to the next one
    for (const auto& each : operation->communicators) {
      sections[each.ranks_from] = &each.rules;
      if (each.ranks_below != GridCommunicators{}.ranks_below)
        sections.try_emplace(each.ranks_below, &own_choice);
    }
    fmt::print(out, "{} {}  # {}, for so many sizes of communicators\n", id, sections.size(),
               name_in_rules(operation->collective));
    for (const auto& [ranks, rules] : sections) {
      fmt::print(out, "{} {}\n", ranks, rules->size());
      for (const auto& rule : *rules)
        fmt::print(out, "{} {} {} {}  # {}\n", rule.from, rule.number, rule.fan_out, rule.segment.count,
                   rule.number > 0 ? rule.name : "the library's own choice");
    }
  }
}

void write_open_mpi_6_rules(const RuleGrid& grid, std::ostream& out) {
  Json collectives = Json::object();
  for (const auto& operation : grid.operations)
    for (const auto& each : operation.communicators) {
      Json rules = Json::array();
      for (std::size_t i = 0; i < each.rules.size(); ++i) {
        const auto& rule = each.rules[i];
        if (rule.number == 0)
          continue;
        rules.push_back({{"msg_size_min", rule.from},
                         {"msg_size_max", i + 1 < each.rules.size() ? Json(each.rules[i + 1].from - 1) : Json("inf")},
                         {"alg", rule.number},
                         {"faninout", rule.fan_out},
                         {"seg_size", rule.segment.count}});
      }
      const bool has_end = each.ranks_below != GridCommunicators{}.ranks_below;
      if (!rules.empty())
        collectives[name_in_rules(operation.collective)].push_back(
            {{"comm_size_min", each.ranks_from},
             {"comm_size_max", has_end ? Json(each.ranks_below - 1) : Json("inf")},
             {"comm_rank_distribution", "any"},
             {"rules", rules}});
    }
  out << Json{{"rule_file_version", 3}, {"module", "tuned"}, {"collectives", collectives}}.dump(2) << '\n';
}

void write_intel_mpi_rules(const Tuning& tuning, std::ostream& out) {
  fmt::print(out, "# {}\n", heading_of(tuning));
  std::map<Collective, std::vector<std::string>> conditions;
  for (const auto* operation : changed_operations(tuning)) {
    const auto ranges = ranges_of(*operation);
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      const auto& first = *ranges[i].first;
      if (!first.is_changed)
        continue;
      const auto most = i + 1 < ranges.size() ? ranges[i + 1].first->block - 1 : std::uint64_t{2147483647};
      conditions[operation->collective].push_back(fmt::format(
          "{}:{}-{}@{}-{}", first.form.number, i == 0 ? 0 : first.block, most, operation->ranks, operation->ranks));
    }
  }
  for (const auto& [collective, each] : conditions) {
    auto name = name_in_rules(collective);
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    fmt::print(out, "export I_MPI_ADJUST_{}='{}'\n", name, fmt::join(each, ";"));
  }
}

void write_rules_lines(const Tuning& tuning, RulesForm form, std::vector<std::string> files, std::ostream& out) {
  std::ranges::transform(files, files.begin(), shell_word);
  fmt::print(out, "# to start a job with {}:\n", fmt::join(files, " and "));
  switch (form) {
  case RulesForm::open_mpi:
  case RulesForm::open_mpi_6:
    fmt::print(
        out,
        "#   mpirun -n {}{} --mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_dynamic_rules_filename {} PROGRAM\n",
        tuning.ranks, tuning.rules_with.empty() ? "" : fmt::format(" {}", tuning.rules_with), files.front());
    return;
  case RulesForm::mpich:
    fmt::print(out, "#   mpiexec -n {} -genv MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE {}", tuning.ranks,
               files.front());
    if (files.size() > 1)
      fmt::print(out, " -genv MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE {}", files[1]);
    out << " PROGRAM\n";
    return;
  case RulesForm::intel_mpi:
    fmt::print(out, "#   . {} && mpiexec -n {} PROGRAM    (Intel MPI to 2021.12; later releases go by presets)\n",
               files.front(), tuning.ranks);
    return;
  case RulesForm::none: return;
  }
}

} // namespace kakehashi
