#include "study/sweep/algorithm_contest.hpp"

#include "workload/benchmark/benchmark.hpp"
#include "workload/collective/libraries.hpp"
#include "workload/collective/own_algorithm.hpp"
#include "workload/collective/selector.hpp"
#include "workload/job.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kakehashi {
namespace {

Error fault(std::string message, std::string suggestion = "") {
  return usage_error("--algorithms: " + std::move(message), std::move(suggestion));
}

// Returns why the ranks' places do not allow the algorithm; empty: they do.
std::string obstacle(const AlgorithmRow& algorithm, const Group& world) {
  if (algorithm.traits.has_two_levels && !has_levels(world, algorithm.collective))
    return "it needs several nodes, and several ranks on one of them";
  if (algorithm.name.starts_with("box-") && !world.box)
    return "it needs a box of nodes on a torus";
  return "";
}

// Returns the algorithms of these names, or all possible ones.
Result<std::vector<AlgorithmChoice>> choices_of(Collective collective, const std::vector<std::string>& names,
                                                const Group& world, std::vector<std::string>& left_out) {
  std::vector<std::string> known;
  std::vector<AlgorithmChoice> choices;
  for (std::size_t i = 0; i < algorithm_table().size(); ++i) {
    const auto& row = algorithm_table()[i];
    if (row.collective != collective)
      continue;
    known.emplace_back(row.name);
    if (!names.empty() && std::ranges::find(names, row.name) == names.end())
      continue;
    if (const auto why = obstacle(row, world); why.empty())
      choices.push_back({i, {}, 0});
    else if (names.empty())
      left_out.push_back(fmt::format("{}: {}", row.name, why));
    else
      return fault(fmt::format("{}: {}", row.name, why));
  }
  for (const auto& name : names)
    if (std::ranges::find(known, name) == known.end())
      return fault(mismatch(in_quotes(name),
                            fmt::format("algorithms of {}: {}", row_of(collective).name, fmt::join(known, ", "))),
                   closest(name, known));
  return choices;
}

} // namespace

Result<AlgorithmContest> algorithm_contest(const Scenario& scenario, const std::vector<std::string>& names,
                                           const std::vector<std::shared_ptr<const OwnAlgorithm>>& own) {
  const auto* benchmark = std::get_if<Benchmark>(&scenario.workload);
  if (!benchmark || !kind_of(*benchmark).collective)
    return fault(mismatch(benchmark ? benchmark->name + ", which is no collective operation" : "no benchmark",
                          "a benchmark of a collective operation, such as imb-allgather"));
  const auto collective = *kind_of(*benchmark).collective;
  const auto place = make_place(*scenario.platform, scenario.ranks, scenario.mpi);
  AlgorithmContest contest;
  contest.library = selector_names[static_cast<std::size_t>(place->library.selector)];
  auto choices = names.empty() && !own.empty() ? std::vector<AlgorithmChoice>()
                                               : choices_of(collective, names, place->world, contest.left_out);
  if (!choices)
    return choices.errors();
  for (const auto& each : own) {
    if (each->collective != collective)
      return fault(mismatch(fmt::format("{}, an algorithm of {}", each->file, row_of(each->collective).name),
                            fmt::format("one of {}", row_of(collective).name)));
    if (!each->is_for(place->world.size()))
      return fault(fmt::format("{}: it is not for {} ranks", each->file, place->world.size()));
    choices->push_back({0, {}, 0, each});
  }
  std::vector<std::string> texts;
  for (const auto& choice : *choices)
    texts.push_back(to_text(choice));
  for (const auto size : benchmark->sizes) {
    const auto blocks = call_of(collective, size, place->world.size()).blocks;
    if (is_without_data(collective, blocks)) {
      contest.taken.emplace_back("none");
      continue;
    }
    const auto choice = choose(place->library, collective, place->world, blocks);
    contest.taken.push_back(to_text(choice));
    if (std::ranges::find(texts, contest.taken.back()) == texts.end()) {
      choices->push_back(choice);
      texts.push_back(contest.taken.back());
    }
  }
  for (std::size_t i = 0; i < texts.size(); ++i) {
    auto& contender = contest.contenders.emplace_back(Contender{texts[i], scenario});
    contender.scenario.mpi.algorithms[static_cast<std::size_t>(collective)] = (*choices)[i];
    contest.settings.push_back(setting_of(place->library.selector, collective, (*choices)[i]));
  }
  return contest;
}

} // namespace kakehashi
