#ifdef KAKEHASHI_OTF2
#include "input/trace/otf2/otf2_events.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace kakehashi {
namespace {

// Calls that move data have records of it, except one-sided operations, which are not read.
bool moves_data(std::string_view function) {
  constexpr std::array words{"send",
                             "bsend",
                             "ssend",
                             "rsend",
                             "isend",
                             "ibsend",
                             "issend",
                             "irsend",
                             "recv",
                             "irecv",
                             "mrecv",
                             "imrecv",
                             "sendrecv",
                             "sendrecv_replace",
                             "start",
                             "put",
                             "get",
                             "accumulate",
                             "get_accumulate",
                             "rput",
                             "rget",
                             "barrier",
                             "bcast",
                             "reduce",
                             "allreduce",
                             "gather",
                             "gatherv",
                             "scatter",
                             "scatterv",
                             "scan",
                             "exscan",
                             "allgather",
                             "allgatherv",
                             "alltoall",
                             "alltoallv",
                             "alltoallw",
                             "startall",
                             "raccumulate",
                             "fetch_and_op",
                             "compare_and_swap",
                             "reduce_scatter",
                             "reduce_scatter_block"};
  std::string word;
  for (const char c : function.substr(std::min<std::size_t>(4, function.size()))) // after MPI_
    word += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  const auto is_word = [&](std::string_view text) { return std::ranges::find(words, text) != words.end(); };
  return is_word(word) || (word.starts_with("i") && is_word(std::string_view(word).substr(1)));
}

bool is_sendrecv(const std::string* function) {
  return function && function->starts_with("MPI_Sendrecv");
}

} // namespace

Otf2Gaps Otf2Events::gaps() const {
  auto gaps = gaps_;
  gaps.endless_receives = receives_.size();
  gaps.endless_calls = calls_.size();
  return gaps;
}

std::optional<TraceEvent> Otf2Events::take(bool at_end) {
  if (auto event = queue_.next(at_end))
    return event;
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
  has_record_ = true;
  if (depth_ == 0 && now_ > last_)
    add(ElapseEvent{{static_cast<double>(now_ - last_) / definitions_.ticks_per_second}, true});
  last_ = now_;
}

void Otf2Events::enter(std::uint32_t function) {
  const auto found = definitions_.mpi_functions.find(function);
  if (found == definitions_.mpi_functions.end())
    return;
  call_mpi();
  if (++depth_ > 1)
    return;
  function_ = &found->second;
  has_record_ = false;
}

void Otf2Events::leave(std::uint32_t function) {
  if (!definitions_.mpi_functions.contains(function))
    return;
  last_ = now_;
  if (--depth_ < 0)
    fail("an MPI function is left that was not entered");
  if (depth_ != 0 || !function_)
    return;
  end_both();
  if (!has_record_ && moves_data(*function_))
    ++gaps_.silent_calls[*function_];
  function_ = nullptr;
}

// Both halves of a sendrecv are under way at once, whatever the order of their records.
void Otf2Events::end_both() {
  if (half_send_ && half_receive_)
    add(SendReceiveEvent{*half_send_, *half_receive_});
  else if (half_send_)
    add(*half_send_);
  else if (half_receive_)
    add(*half_receive_);
  half_send_.reset();
  half_receive_.reset();
}

// Returns none, with a fault, if there is no such rank.
std::optional<int> Otf2Events::world_rank(std::uint32_t rank, std::uint32_t comm) {
  const auto found = definitions_.communicator_of.find(comm);
  if (found == definitions_.communicator_of.end()) {
    fail(fmt::format("communicator {} is not defined", comm));
    return std::nullopt;
  }
  const auto& [index, is_self, has_world_ranks] = found->second;
  if (is_self)
    return rank_;
  const auto& members = definitions_.communicators[has_world_ranks ? 0 : index].members;
  if (rank >= members.size()) {
    fail(mismatch(fmt::format("rank {} of communicator {}", rank, comm),
                  fmt::format("one of its {}", counted(members.size(), "rank"))));
    return std::nullopt;
  }
  return members[rank];
}

// Gives tags of different communicators different values, since the engine has no communicators.
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
  if (is_sendrecv(function_) && event.blocking && !half_send_)
    half_send_ = event;
  else
    add(event);
}

void Otf2Events::receive(std::uint32_t from, std::uint32_t comm, std::uint32_t tag) {
  call_mpi();
  const auto peer = world_rank(from, comm);
  if (!peer)
    return;
  const ReceiveEvent event{peer, tag_in(comm, tag), true};
  if (is_sendrecv(function_) && !half_receive_)
    half_receive_ = event;
  else
    add(event);
}

void Otf2Events::begin_receive(std::uint64_t request) {
  call_mpi();
  receives_[request] = add(ReceiveEvent{{}, {}, false}, false);
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
  queue_.know(begun->second).what = ReceiveEvent{name.from, name.tag, false};
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
    queue_.drop(begun->second);
    receives_.erase(begun);
  }
}

std::vector<std::uint64_t> Otf2Events::parts(std::uint64_t bytes, std::size_t ranks) const {
  std::vector<std::uint64_t> sizes(ranks, bytes / ranks);
  for (std::size_t i = 0; i < bytes % ranks; ++i)
    ++sizes[i];
  return sizes;
}

void Otf2Events::collective(OTF2_CollectiveOp operation, std::uint32_t comm, std::uint32_t root, std::uint64_t sent,
                            std::uint64_t received) {
  call_mpi();
  if (auto call = call_of(operation, comm, root, sent, received))
    add(std::move(*call));
}

void Otf2Events::begin_nonblocking(std::uint64_t request) {
  call_mpi();
  calls_[request] = add(CollectiveEvent{}, false);
}

void Otf2Events::end_nonblocking(OTF2_CollectiveOp operation, std::uint32_t comm, std::uint32_t root,
                                 std::uint64_t sent, std::uint64_t received, std::uint64_t request) {
  call_mpi();
  const auto begun = calls_.find(request);
  if (begun == calls_.end())
    return fail(fmt::format("nonblocking call {} ends, which did not begin", request));
  const auto number = begun->second;
  calls_.erase(begun);
  auto call = call_of(operation, comm, root, sent, received);
  if (!call)
    return queue_.drop(number);
  call->blocking = false;
  queue_.know(number).what = std::move(*call);
  add(WaitCollectiveEvent{});
}

// The sizes are the sums that this rank sent and received. Returns nothing if the call moves no data, or with a fault.
std::optional<CollectiveEvent> Otf2Events::call_of(OTF2_CollectiveOp operation, std::uint32_t comm, std::uint32_t root,
                                                   std::uint64_t sent, std::uint64_t received) {
  const auto failed = [this](std::string message) {
    fail(std::move(message));
    return std::nullopt;
  };
  const auto found = definitions_.communicator_of.find(comm);
  if (found == definitions_.communicator_of.end())
    return failed(fmt::format("communicator {} is not defined", comm));
  if (found->second.is_self)
    return std::nullopt;
  if (std::max(sent, received) > largest_size.count)
    return failed(mismatch(fmt::format("{} B", std::max(sent, received)), bytes_range));
  const auto& members = definitions_.communicators[found->second.index].members;
  if (std::ranges::find(members, rank_) == members.end())
    return failed(fmt::format(
        "rank {} takes part in a collective operation of communicator {}, of which it is no member", rank_, comm));
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
  default: return std::nullopt; // the creation of communicators and windows
  }
  if (has_root(call.collective)) {
    const auto world = world_rank(root, comm);
    if (!world)
      return std::nullopt;
    call.root = static_cast<int>(std::ranges::find(members, *world) - members.begin());
  }
  return call;
}

} // namespace kakehashi
#endif
