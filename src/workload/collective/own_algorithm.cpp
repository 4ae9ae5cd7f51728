#include "workload/collective/own_algorithm.hpp"

#include <algorithm>

namespace kakehashi {
namespace {

// The blocks of a message.
struct OwnBlocks {
  const Blocks& blocks;
  int first;
  int count;
  int every;
  bool adds;
  Bytes size;

  OwnBlocks(const Blocks& all, const OwnMessage& message, int shift)
      : blocks(all), first((message.first + shift) % all.count()), count(message.count), every(message.every),
        adds(message.adds) {
    if (every == 1)
      size = blocks.blocks(first, count).size;
    else
      for (int i = 0; i < count; ++i)
        size.count += blocks.size_of(number(i)).count;
  }
  template <class Visitor> void for_each_piece(Visitor visit) const {
    for (int i = 0; i < count; ++i) {
      const auto block = blocks.block(number(i));
      (adds ? block.to_add() : block).for_each_piece(visit);
    }
  }
  int number(int i) const { return static_cast<int>((first + std::int64_t{i} * every) % blocks.count()); }
};

// None: nodes have different numbers of ranks, or the ranks are not node by node.
std::optional<int> ranks_per_node(const Group& group) {
  if (!group.has_nodes()) // one node, or a rank on each
    return group.most_on_a_node;
  const bool is_even =
      std::ranges::all_of(group.nodes, [&](const Group& node) { return node.size() == group.most_on_a_node; });
  return is_even && group.is_node_by_node ? std::optional(group.most_on_a_node) : std::nullopt;
}

// The vector as the algorithm divides it.
Blocks blocks_of(const Call& call, const OwnSchedule& schedule) {
  const auto collective = call.own->collective;
  if (collective == Collective::alltoall)
    return Blocks::equal(call.blocks.size_of(0), schedule.blocks);
  return row_of(collective).division == Division::whole ? Blocks::even(call.blocks.total(), schedule.blocks)
                                                        : call.blocks;
}

// What a rank sends and receives in a step.
struct Round {
  std::vector<OwnMessage> sent;
  std::vector<OwnMessage> received;
};

Round round_at(const OwnSchedule& schedule, int rank, std::size_t at) {
  const auto& mine = schedule.of_rank[static_cast<std::size_t>(rank)];
  const int step = schedule.messages[mine[at]].step;
  Round round;
  for (; at < mine.size() && schedule.messages[mine[at]].step == step; ++at) {
    const auto& message = schedule.messages[mine[at]];
    (message.from == rank ? round.sent : round.received).push_back(message);
  }
  return round;
}

// `shift`: the number of the algorithm's block 0 in the call.
Program run_round(Communicator comm, Round round, Blocks blocks, int shift) {
  const auto data = [&](const OwnMessage& message) { return OwnBlocks(blocks, message, shift); };
  if (round.sent.size() == 1 && round.received.size() == 1) {
    co_await comm.sendreceive(round.sent[0].to, data(round.sent[0]), round.received[0].from);
  } else if (round.sent.size() + round.received.size() == 1) {
    if (round.received.empty())
      co_await comm.send(round.sent[0].to, data(round.sent[0]));
    else
      co_await comm.receive(round.received[0].from);
  } else {
    std::vector<Request> requests;
    for (const auto& message : round.received)
      requests.push_back(co_await comm.ireceive(message.from));
    for (const auto& message : round.sent)
      requests.push_back(co_await comm.isend(message.to, data(message)));
    co_await comm.wait_all(std::move(requests));
  }
  for (const auto& message : round.received)
    if (message.is_added)
      co_await comm.add(data(message).size);
}

} // namespace

bool OwnAlgorithm::is_for(int size) const {
  Variables variables{};
  variables[static_cast<std::size_t>(Variable::size)] = size;
  return ranks.value(variables).value_or(0) != 0;
}

Result<std::shared_ptr<const OwnSchedule>> OwnAlgorithm::schedule(int size, std::optional<int> per_node) const {
  const std::lock_guard lock(mutex_);
  const std::pair key(size, per_node.value_or(0));
  if (const auto known = schedules_.find(key); known != schedules_.end())
    return known->second;
  Result<std::shared_ptr<const OwnSchedule>> result = Errors{};
  if (auto steps = steps_of(*this, size, per_node); !steps)
    result = steps.errors();
  else if (auto fault = fault_of(*this, *steps))
    result = std::move(*fault);
  else
    result = std::make_shared<const OwnSchedule>(std::move(*steps));
  return schedules_.emplace(key, std::move(result)).first->second;
}

std::optional<Error> own_fault(const Library& library, const Group& group) {
  for (const auto& named : library.algorithms)
    if (named && named->own && named->own->is_for(group.size()))
      if (const auto schedule = named->own->schedule(group.size(), ranks_per_node(group)); !schedule)
        return schedule.errors().front();
  return std::nullopt;
}

// Each rank goes through its messages step by step.
Program run_own(Communicator comm, Call call) {
  const auto schedule = call.own->schedule(comm.size(), ranks_per_node(comm.group()));
  if (!schedule) {
    co_await comm.self().fail(schedule.errors().front());
    co_return;
  }
  const auto& steps = **schedule;
  const bool is_root_first = call.own->collective == Collective::gather || call.own->collective == Collective::scatter;
  const int shift = is_root_first ? call.root : 0;
  const auto blocks = blocks_of(call, steps);
  comm = comm.rooted_at(call.root);
  const auto& mine = steps.of_rank[static_cast<std::size_t>(comm.rank())];
  for (std::size_t at = 0; at < mine.size();) {
    const auto& first = steps.messages[mine[at]];
    const int alike = steps.alike_after[static_cast<std::size_t>(first.step)];
    if (alike >= 0 && first.every == 1 && blocks.are_alike())
      at += 2 * static_cast<std::size_t>(comm.rounds_to_skip(alike));
    auto round = round_at(steps, comm.rank(), at);
    at += round.sent.size() + round.received.size();
    co_await run_round(comm, std::move(round), blocks, shift);
  }
}

bool may_be_own(Collective collective) {
  using enum Collective;
  switch (collective) {
  case barrier:
  case gatherv:
  case scatterv:
  case alltoallv:
  case scan:
  case exscan: return false;
  default: return true;
  }
}

} // namespace kakehashi
