#include "workload/collective/selector.hpp"

#include "workload/collective/libraries.hpp"
#include "workload/collective/own_algorithm.hpp"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <utility>

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

// The bytes that a rank's caller passes in and gets back.
struct Buffers {
  Bytes all;
  Bytes own; // bytes that the rank copies from its send buffer to its receive buffer
};
Buffers buffers_of(Collective collective, const Blocks& blocks, const Communicator& comm) {
  const auto total = blocks.total();
  const Bytes mean{total.count / static_cast<std::uint64_t>(comm.size())};
  switch (collective) {
  case Collective::allgather:
  case Collective::allgatherv: return {total + mean, mean};
  case Collective::alltoall:
  case Collective::alltoallv: return {total + total, mean};
  case Collective::allreduce:
  case Collective::reduce_scatter:
  case Collective::scan: return {total + total, total};
  case Collective::gather:
  case Collective::gatherv:
  case Collective::scatter:
  case Collective::scatterv: return {mean + mean, {}}; // except at the root
  default: return {total, {}};
  }
}

// Applies the library's fallbacks for a vector that is too short for the row's algorithm.
Decision with_fallbacks(const MpiLibrary& library, Decision row, Bytes vector, int ranks) {
  for (const auto& each : root_of(library).fallbacks)
    if (each.collective == row.collective && each.from == row.algorithm &&
        !has_enough(each.needs, vector, static_cast<unsigned>(ranks), row.segment)) {
      row.algorithm = each.to;
      if (!each.keeps_segment)
        row.segment = {};
      row.width = 0;
    }
  return row;
}

// The copies of a rank around a reduction that the library does on the hosts of GPUs.
struct HostCopies {
  Bytes sent;   // the rank's own vector, to the host
  Bytes result; // the result, to the rank's GPU
};
HostCopies host_copies_of(Collective collective, const Call& call, const Communicator& comm) {
  const auto whole = call.blocks.total();
  switch (collective) {
  case Collective::reduce: return {whole, comm.rank() == call.root ? whole : Bytes{}};
  case Collective::reduce_scatter: return {whole, call.blocks.size_of(comm.rank())};
  default: return {whole, whole};
  }
}

// The host's memory is pageable: the GPU writes to and reads from pinned memory, and a core copies between that and the
// buffer. Assumed: one after the other.
Program copy_to_host(Communicator comm, HostCopies vectors) {
  co_await comm.copy_to_host(vectors.sent);
  co_await comm.move(vectors.sent);
  if (!own_or_followed(comm.library()).gpu.copies_result_in || vectors.result.count == 0)
    co_return;
  co_await comm.copy_to_host(vectors.result);
  co_await comm.move(vectors.result);
}

// Of a vector that an algorithm allocates in each call, what a rank touches, as a part of all data; in Open MPI and
// MPICH. Counted as page faults of Open MPI 4.1.4.
struct Temporary {
  Collective collective{};
  std::string_view algorithm;
  double root = 0;
  double others = 0;
};
constexpr Temporary temporaries[] = {{Collective::allreduce, "recursive-doubling", 1, 1},
                                     {Collective::allreduce, "rabenseifner", 0.5, 0.5},
                                     {Collective::reduce, "rabenseifner", 0.5, 1.5},
                                     {Collective::reduce_scatter, "recursive-halving", 1.5, 1.5},
                                     {Collective::reduce_scatter, "ring", 1, 1}};

// From this size on glibc maps a vector in each call and unmaps it (the greatest M_MMAP_THRESHOLD), so its pages are
// new: the kernel finds and clears each, and an adapter's library registers it. Their time is that which Open MPI's
// Reduce_scatters of 64 MiB take more than eight times what they take for 8 MiB, on 64 nodes.
constexpr Bytes always_mapped{32 << 20};
constexpr SecondsPerByte new_page_time{0.45e-9};

Bytes new_pages_of(Collective collective, std::string_view algorithm, const Call& call, const Communicator& comm) {
  const auto total = call.blocks.total();
  if (total < always_mapped)
    return {};
  if (collective == Collective::gather && algorithm == "binomial") { // the blocks of a subtree
    const auto rank = static_cast<unsigned>(comm.rooted_at(call.root).rank());
    const auto ranks = static_cast<unsigned>(comm.size());
    const Bytes held{rank == 0 ? 0 : total.count / ranks * std::min(rank & -rank, ranks - rank)};
    return held < always_mapped ? Bytes{} : held;
  }
  for (const auto& row : temporaries)
    if (row.collective == collective && row.algorithm == algorithm)
      return Bytes{static_cast<std::uint64_t>((comm.rank() == call.root ? row.root : row.others) *
                                              static_cast<double>(total.count))};
  return {};
}

} // namespace

std::uint64_t measured_bytes(Collective collective, const Blocks& blocks, Measure measure) {
  if (collective == Collective::alltoallv && blocks.is_listed())
    return largest_size.count;
  const auto all = blocks.total().count;
  const auto mean = all / static_cast<std::uint64_t>(blocks.count());
  if (measure != Measure::usual)
    return measure == Measure::block ? mean : all;
  switch (collective) {
  case Collective::gather:
  case Collective::gatherv:
  case Collective::scatter:
  case Collective::scatterv:
  case Collective::alltoall:
  case Collective::alltoallv: return mean;
  default: return all;
  }
}

bool has_levels(const Group& group, Collective collective) {
  return group.has_nodes() && (collective != Collective::scan || group.is_node_by_node);
}

bool holds(const Decision& decision, Collective collective, const Blocks& blocks, const Group& group) {
  if (decision.collective != collective)
    return false;
  const int ranks = group.size();
  const auto bytes = measured_bytes(collective, blocks, decision.measure);
  return bytes >= decision.bytes_from && bytes < decision.bytes_below && ranks >= decision.ranks_from &&
         ranks < decision.ranks_below && has(ranks, decision.ranks) && ranks < decision.ranks_below_line.at(bytes) &&
         ranks > decision.ranks_above_line.at(bytes) && (!decision.on_nodes || has_levels(group, collective)) &&
         (!decision.off_nodes || !group.has_nodes()) &&
         (decision.algorithm != shared_memory_form || group.shares_memory) &&
         (!decision.on_box || (group.box && group.box->has_three_dimensions())) &&
         group.most_on_a_node >= decision.ranks_per_node_from && group.most_on_a_node < decision.ranks_per_node_below;
}

bool fits(const AlgorithmTraits& traits, const Group& group, Collective collective) {
  return (!traits.has_two_levels || has_levels(group, collective)) && (!traits.needs_memory || group.shares_memory);
}

AlgorithmChoice choose(const Library& library, Collective collective, const Group& group, const Blocks& blocks) {
  const auto& named = library.algorithms[static_cast<std::size_t>(collective)];
  // Collectives inside the levels of a two-level form have no levels themselves.
  if (named && (!named->own || named->own->is_for(group.size())) && fits(row_of(*named).traits, group, collective))
    return *named;
  const auto first_that_holds = [&](std::span<const Decision> rows) {
    const auto row = std::find_if(rows.begin(), rows.end(),
                                  [&](const auto& each) { return holds(each, collective, blocks, group); });
    return row == rows.end() ? nullptr : &*row;
  };
  const auto& tables = library_of(library.selector);
  const auto* row = tables.precedes_rules ? first_that_holds(tables.decisions) : nullptr;
  if (!row && library.rules)
    row = first_that_holds(library.rules->rows);
  if (row && row->algorithm.empty())
    row = nullptr;
  for (const auto* each = &tables; !row; each = each->next.get())
    row = first_that_holds(each->decisions);
  const auto taken = with_fallbacks(tables, *row, blocks.total(), group.size());
  return {index_of_algorithm(collective, taken.algorithm), taken.segment, taken.width};
}

bool may_choose(const Library& library, std::size_t algorithm) {
  const auto& row = algorithm_table()[algorithm];
  const auto has_it = [&](std::span<const Decision> rows) {
    return std::ranges::any_of(
        rows, [&](const Decision& each) { return each.collective == row.collective && each.algorithm == row.name; });
  };
  const auto& named = library.algorithms[static_cast<std::size_t>(row.collective)];
  if (named ? !named->own && named->algorithm == algorithm : library.rules && has_it(library.rules->rows))
    return true;
  const auto* each = &library_of(library.selector);
  while (each && !has_it(each->decisions))
    each = each->next.get();
  return each != nullptr;
}

std::string to_text(const AlgorithmChoice& choice) {
  const auto name = row_of(choice).name;
  std::vector<std::string> details;
  if (choice.segment.count > 0)
    details.push_back(to_text(choice.segment) + " segments");
  if (choice.width > 0)
    details.push_back(name.starts_with("linear") ? fmt::format("{} at a time", choice.width)
                      : name == "chain"          ? fmt::format("{} chains", choice.width)
                                                 : fmt::format("base {}", choice.width));
  return details.empty() ? std::string(name) : fmt::format("{} ({})", name, fmt::join(details, "; "));
}

bool is_without_data(Collective collective, const Blocks& blocks) {
  return blocks.total().count == 0 && collective != Collective::barrier && collective != Collective::alltoallv;
}

namespace {

// Numbers of segments are ints.
std::optional<Error> too_many_segments(const Rank& rank, Collective collective, const Call& call) {
  constexpr std::uint64_t most = std::numeric_limits<int>::max();
  const auto total = call.blocks.total();
  if (call.segment.count == 0 || total.count / call.segment.count < most)
    return std::nullopt;
  return input_error(
      rank.place.file ? *rank.place.file : "", rank.place.file ? rank.place.text() : "",
      mismatch(fmt::format("{} of {} in segments of {}", collective_names[static_cast<std::size_t>(collective)],
                           to_text(total), to_text(call.segment)),
               fmt::format("at most {} segments", most)));
}

} // namespace

Program perform(Communicator comm, Collective collective, Call call) {
  if (is_without_data(collective, call.blocks))
    co_return;
  const auto& library = comm.library();
  const bool moves_to_hosts =
      has_reduction(collective) && library.gpu_reductions == GpuReductions::host && comm.lane() != host_lane;
  if (moves_to_hosts)
    comm = comm.on(host_lane);
  const bool copies = moves_to_hosts && comm.self().kind == DeviceKind::gpu;
  const auto choice = choose(library, collective, comm.group(), call.blocks);
  const auto algorithm = row_of(choice);
  if (!algorithm.traits.lane.empty())
    comm = comm.on(lane_number(algorithm.traits.lane));
  comm = comm.in_call(!algorithm.traits.sends_own);
  call.segment = choice.segment;
  call.width = choice.width;
  call.own = choice.own.get();
  if (auto error = too_many_segments(comm.self(), collective, call)) {
    co_await comm.self().fail(std::move(*error));
    co_return;
  }
  const auto buffers = buffers_of(collective, call.blocks, comm);
  auto& working_set = comm.self().working_set;
  const auto before = std::exchange(working_set, std::max(buffers.all, working_set));
  const auto vectors = copies ? host_copies_of(collective, call, comm) : HostCopies{};
  if (copies)
    co_await copy_to_host(comm, vectors);
  if (buffers.own.count > 0)
    co_await comm.move(buffers.own);
  if (const auto fresh = new_pages_of(collective, algorithm.name, call, comm);
      fresh.count > 0 && kind_on(usual_lanes()[comm.lane()], comm.self().kind) != DeviceKind::gpu)
    co_await comm.self().compute_in_call(fresh * new_page_time, fresh, comm.lane());
  co_await algorithm.run(comm, call);
  if (vectors.result.count > 0) {
    co_await comm.move(vectors.result);
    co_await comm.copy_from_host(vectors.result);
  }
  working_set = before;
}

Library make_library(const MpiSettings& settings) {
  Library library;
  library.selector = settings.selector.value_or(library.selector);
  library.algorithms = settings.algorithms;
  library.rules = settings.rules;
  const auto& usual = own_or_followed(library);
  library.reduction = settings.reduction.value_or(library.reduction);
  library.copy = settings.copy.value_or(library.copy);
  library.copy_start = settings.copy_start.value_or(library.copy_start);
  library.communicator_start = settings.communicator_start;
  library.full_node_factor = settings.full_node_factor.value_or(usual.full_node_factor);
  library.network_polling = settings.network_polling.value_or(Seconds{});
  library.after_work = settings.after_work.value_or(Seconds{});
  library.after_work_copy = settings.after_work_copy.value_or(SecondsPerByte{});
  library.single_copy_from = settings.single_copy_from ? settings.single_copy_from : usual.single_copy_from;
  library.progress = settings.progress.value_or(usual.progress);
  library.states_progress = settings.progress.has_value();
  library.gpu_reductions = settings.gpu_reductions.value_or(usual.gpu.reductions);
  library.states_gpu_reductions = settings.gpu_reductions.has_value();
  library.gpu_copy_start = settings.gpu_copy_start.value_or(library.gpu_copy_start);
  return library;
}

} // namespace kakehashi
