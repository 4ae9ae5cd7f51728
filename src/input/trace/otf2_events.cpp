#ifdef KAKEHASHI_OTF2
#include "input/trace/otf2_events.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace kakehashi {

std::optional<TraceEvent> Otf2Events::take(bool at_end) {
  while (!queue_.empty() && (queue_.front().is_whole || queue_.front().is_dropped || at_end)) {
    auto entry = std::move(queue_.front());
    queue_.pop_front();
    ++taken_;
    if (entry.is_whole && !entry.is_dropped)
      return std::move(entry.event);
  }
  if (at_end && depth_ == 0 && now_ > last_) { // work after the last call
    call_mpi();
    return take(at_end);
  }
  return std::nullopt;
}

void Otf2Events::fail(std::string message) {
  if (fault_.empty())
    fault_ = std::move(message);
}

void Otf2Events::call_mpi() {
  if (depth_ == 0 && now_ > last_)
    add(ElapseEvent{{static_cast<double>(now_ - last_) / definitions_.ticks_per_second}, true});
  last_ = now_;
}

void Otf2Events::enter(std::uint32_t function) {
  if (!definitions_.mpi_functions.contains(function))
    return;
  call_mpi();
  ++depth_;
}

void Otf2Events::leave(std::uint32_t function) {
  if (!definitions_.mpi_functions.contains(function))
    return;
  last_ = now_;
  if (--depth_ < 0)
    fail("an MPI function is left that was not entered");
}

// None, and a fault, if there is no such rank.
std::optional<int> Otf2Events::world_rank(std::uint32_t rank, std::uint32_t comm) {
  const auto found = definitions_.communicator_of.find(comm);
  if (found == definitions_.communicator_of.end()) {
    fail(fmt::format("communicator {} is not defined", comm));
    return std::nullopt;
  }
  const auto& [index, is_self, has_world_ranks] = found->second;
  if (is_self)
    return rank_;
  const auto& members = definitions_.communicators[has_world_ranks ? 0 : index];
  if (rank >= members.size()) {
    fail(mismatch(fmt::format("rank {} of communicator {}", rank, comm),
                  fmt::format("one of its {}", counted(members.size(), "rank"))));
    return std::nullopt;
  }
  return members[rank];
}

// Tags of different communicators are kept apart; the engine does not know of communicators.
int Otf2Events::tag_in(std::uint32_t comm, std::uint32_t tag) const {
  constexpr std::uint64_t apart = 1000003; // a prime
  const auto found = definitions_.communicator_of.find(comm);
  const auto index = found == definitions_.communicator_of.end() ? 0 : found->second.index;
  return static_cast<int>((tag + apart * index) % (std::uint64_t{1} << 31));
}

void Otf2Events::send(std::uint32_t to, std::uint32_t comm, std::uint32_t tag, std::uint64_t bytes,
                      std::optional<std::uint64_t> request) {
  call_mpi();
  const auto peer = world_rank(to, comm);
  if (bytes > largest_size.count)
    fail(mismatch(fmt::format("a message of {} B", bytes), bytes_range));
  if (!peer)
    return;
  const SendEvent event{peer, tag_in(comm, tag), {bytes}, !request.has_value()};
  if (request)
    sends_[*request] = {rank_, peer, event.tag};
  add(event);
}

void Otf2Events::receive(std::uint32_t from, std::uint32_t comm, std::uint32_t tag) {
  call_mpi();
  if (const auto peer = world_rank(from, comm))
    add(ReceiveEvent{peer, tag_in(comm, tag), true});
}

void Otf2Events::begin_receive(std::uint64_t request) {
  call_mpi();
  receives_[request] = taken_ + queue_.size();
  add(ReceiveEvent{{}, {}, false}).is_whole = false;
}

void Otf2Events::end_receive(std::uint32_t from, std::uint32_t comm, std::uint32_t tag, std::uint64_t request) {
  call_mpi();
  const auto begun = receives_.find(request);
  if (begun == receives_.end())
    return fail(fmt::format("receive {} ends, which did not begin", request));
  const auto peer = world_rank(from, comm);
  if (!peer)
    return;
  const RequestName name{peer, rank_, tag_in(comm, tag)};
  auto& entry = queue_[begun->second - taken_];
  entry.event.what = ReceiveEvent{name.from, name.tag, false};
  entry.is_whole = true;
  receives_.erase(begun);
  add(WaitEvent{name});
}

void Otf2Events::end_send(std::uint64_t request) {
  call_mpi();
  const auto begun = sends_.find(request);
  if (begun == sends_.end())
    return fail(fmt::format("send {} ends, which did not begin", request));
  add(WaitEvent{begun->second});
  sends_.erase(begun);
}

void Otf2Events::cancel(std::uint64_t request) {
  call_mpi();
  if (const auto begun = receives_.find(request); begun != receives_.end()) {
    queue_[begun->second - taken_].is_dropped = true;
    receives_.erase(begun);
  }
}

std::vector<std::uint64_t> Otf2Events::parts(std::uint64_t bytes, std::size_t ranks) const {
  std::vector<std::uint64_t> sizes(ranks, bytes / ranks);
  for (std::size_t i = 0; i < bytes % ranks; ++i)
    ++sizes[i];
  return sizes;
}

// Sizes are those of what this rank sent and received in all.
void Otf2Events::collective(OTF2_CollectiveOp operation, std::uint32_t comm, std::uint32_t root, std::uint64_t sent,
                            std::uint64_t received) {
  call_mpi();
  const auto found = definitions_.communicator_of.find(comm);
  if (found == definitions_.communicator_of.end())
    return fail(fmt::format("communicator {} is not defined", comm));
  if (found->second.is_self)
    return;
  if (std::max(sent, received) > largest_size.count)
    return fail(mismatch(fmt::format("{} B", std::max(sent, received)), bytes_range));
  const auto& members = definitions_.communicators[found->second.index];
  if (std::ranges::find(members, rank_) == members.end())
    return fail(fmt::format("rank {} takes part in a collective operation of communicator {}, of which it is no member",
                            rank_, comm));
  const auto ranks = members.size();
  CollectiveEvent call;
  call.communicator = found->second.index;
  const auto one_of = [&](std::uint64_t own, std::uint64_t all) { return own > 0 ? own : all / ranks; };
  const auto is = [&](Collective collective, std::uint64_t bytes) {
    call.collective = collective;
    if (row_of(collective).division == Division::listed_blocks)
      call.sizes = parts(bytes, ranks);
    else
      call.size = {bytes};
  };
  switch (operation) {
  case OTF2_COLLECTIVE_OP_BARRIER: break;
  case OTF2_COLLECTIVE_OP_BCAST: is(Collective::bcast, received > 0 ? received : sent); break;
  case OTF2_COLLECTIVE_OP_GATHER: is(Collective::gather, one_of(sent, received)); break;
  case OTF2_COLLECTIVE_OP_GATHERV: is(Collective::gatherv, sent); break;
  case OTF2_COLLECTIVE_OP_SCATTER: is(Collective::scatter, one_of(received, sent)); break;
  case OTF2_COLLECTIVE_OP_SCATTERV: is(Collective::scatterv, sent); break;
  case OTF2_COLLECTIVE_OP_ALLGATHER: is(Collective::allgather, received / ranks); break;
  case OTF2_COLLECTIVE_OP_ALLGATHERV: is(Collective::allgatherv, received); break;
  case OTF2_COLLECTIVE_OP_ALLTOALL: is(Collective::alltoall, sent / ranks); break;
  case OTF2_COLLECTIVE_OP_ALLTOALLV:
  case OTF2_COLLECTIVE_OP_ALLTOALLW: is(Collective::alltoallv, sent); break;
  case OTF2_COLLECTIVE_OP_ALLREDUCE: is(Collective::allreduce, sent); break;
  case OTF2_COLLECTIVE_OP_REDUCE: is(Collective::reduce, sent); break;
  case OTF2_COLLECTIVE_OP_REDUCE_SCATTER:
  case OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK: is(Collective::reduce_scatter, sent); break;
  case OTF2_COLLECTIVE_OP_SCAN: is(Collective::scan, sent); break;
  case OTF2_COLLECTIVE_OP_EXSCAN: is(Collective::exscan, sent); break;
  default: return; // communicators and windows that are made
  }
  if (has_root(call.collective)) {
    const auto world = world_rank(root, comm);
    if (!world)
      return;
    call.root = static_cast<int>(std::ranges::find(members, *world) - members.begin());
  }
  add(std::move(call));
}

} // namespace kakehashi
#endif
