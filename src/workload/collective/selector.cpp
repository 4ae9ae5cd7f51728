#include "workload/collective/selector.hpp"

#include <bit>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kakehashi {
namespace {

bool has(int ranks, Ranks property) {
  switch (property) {
  case Ranks::any: return true;
  case Ranks::odd: return ranks % 2 == 1;
  case Ranks::even: return ranks % 2 == 0;
  case Ranks::power_of_two: return std::has_single_bit(static_cast<unsigned>(ranks));
  }
  return false;
}

Program return_at_once() {
  co_return;
}

} // namespace

std::uint64_t measured_bytes(Collective collective, const Blocks& blocks) {
  switch (collective) {
  case Collective::gather:
  case Collective::gatherv:
  case Collective::scatter:
  case Collective::scatterv:
  case Collective::alltoall:
  case Collective::alltoallv: return blocks.total().count / static_cast<std::uint64_t>(blocks.count());
  default: return blocks.total().count;
  }
}

bool has_levels(const Group& group, Collective collective) {
  return group.has_nodes() && (collective != Collective::scan || group.is_node_by_node);
}

bool holds(const Decision& decision, Collective collective, std::uint64_t bytes, const Group& group) {
  const int ranks = group.size();
  return decision.collective == collective && bytes < decision.bytes_below && ranks >= decision.ranks_from &&
         ranks < decision.ranks_below && has(ranks, decision.ranks) && ranks < decision.ranks_below_line.at(bytes) &&
         ranks > decision.ranks_above_line.at(bytes) && (!decision.on_nodes || has_levels(group, collective)) &&
         (!decision.on_box || group.box) && group.most_on_a_node < decision.ranks_per_node_below;
}

AlgorithmChoice choose(const Library& library, Collective collective, const Group& group, const Blocks& blocks) {
  const auto& named = library.algorithms[static_cast<std::size_t>(collective)];
  // A two-level form uses collectives inside its levels, which have no levels of their own.
  if (named && (has_levels(group, collective) || algorithm_names[named->algorithm].name != "two-level"))
    return *named;
  const auto bytes = measured_bytes(collective, blocks);
  const auto first_that_holds = [&](std::span<const Decision> rows) {
    const auto row =
        std::find_if(rows.begin(), rows.end(), [&](const auto& each) { return holds(each, collective, bytes, group); });
    return row == rows.end() ? nullptr : &*row;
  };
  const auto* row = first_that_holds(decisions_of(library.selector));
  if (!row)
    row = first_that_holds(decisions_of(Selector::open_mpi));
  return {*find_algorithm(collective, row->algorithm), row->segment, row->width};
}

std::string to_text(const AlgorithmChoice& choice) {
  const auto& [collective, name] = algorithm_names[choice.algorithm];
  std::vector<std::string> told;
  if (choice.segment.count > 0)
    told.push_back(to_text(choice.segment) + " segments");
  if (choice.width > 0)
    told.push_back(name == "chain" ? fmt::format("{} chains", choice.width)
                                   : fmt::format("{} at a time", choice.width));
  return told.empty() ? std::string(name) : fmt::format("{} ({})", name, fmt::join(told, "; "));
}

bool is_without_data(Collective collective, const Blocks& blocks) {
  return blocks.total().count == 0 && collective != Collective::barrier && collective != Collective::alltoallv;
}

Program perform(Communicator comm, Collective collective, Call call) {
  if (is_without_data(collective, call.blocks))
    return return_at_once();
  const auto choice = choose(comm.library(), collective, comm.group(), call.blocks);
  call.segment = choice.segment;
  call.width = choice.width;
  return algorithm_table()[choice.algorithm].run(comm, call);
}

Library make_library(const MpiSettings& settings) {
  return {settings.selector.value_or(Selector::open_mpi), settings.algorithms,
          settings.reduction.value_or(usual_reduction)};
}

} // namespace kakehashi
