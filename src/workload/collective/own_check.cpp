#include "workload/collective/own_algorithm.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unordered_map>

namespace kakehashi {
namespace {

// Of the blocks that ranks have, and of the blocks that are moved.
constexpr std::size_t most_held = std::size_t{1} << 21;
constexpr std::int64_t most_moves = std::int64_t{1} << 25;

// The ranks whose parts were added up, as intervals [first, end), in order and with gaps between them.
using Summands = std::vector<std::pair<int, int>>;

// Adds ranks that it does not have yet; returns one that it has already, or none.
std::optional<int> add_to(Summands& sum, const Summands& more) {
  Summands both;
  both.reserve(sum.size() + more.size());
  std::ranges::merge(sum, more, std::back_inserter(both));
  sum.clear();
  for (const auto& each : both)
    if (sum.empty() || sum.back().second < each.first)
      sum.push_back(each);
    else if (sum.back().second > each.first)
      return each.first;
    else
      sum.back().second = each.second;
  return std::nullopt;
}

// "rank 3", "ranks 0 to 2, 5".
std::string to_text(const Summands& ranks) {
  std::vector<std::string> texts;
  for (const auto& [first, end] : ranks)
    texts.push_back(end - first == 1 ? fmt::format("{}", first) : fmt::format("{} to {}", first, end - 1));
  if (texts.size() > 5) {
    texts.resize(5);
    texts.emplace_back("…");
  }
  const bool is_one = ranks.size() == 1 && ranks[0].second - ranks[0].first == 1;
  return fmt::format("{} {}", is_one ? "rank" : "ranks", fmt::join(texts, ", "));
}

class Check {
public:
  Check(const OwnAlgorithm& algorithm, OwnSchedule& schedule) : algorithm_(algorithm), schedule_(schedule) {}

  std::optional<Error> fault() {
    begin();
    for (std::size_t i = 0; i < schedule_.messages.size() && message_.empty();) {
      const auto first = i;
      while (i < schedule_.messages.size() && schedule_.messages[i].step == schedule_.messages[first].step)
        ++i;
      pass({schedule_.messages.data() + first, i - first});
    }
    if (message_.empty())
      look_for_results();
    if (message_.empty())
      return std::nullopt;
    return input_error(algorithm_.file, "", fmt::format("for {} ranks, {}", schedule_.size, message_));
  }

private:
  using Blocks = std::unordered_map<int, Summands>; // by number
  struct Passed {
    OwnMessage* message;
    int block;
    Summands content;
  };

  Blocks& blocks_of(int rank) { return held_[static_cast<std::size_t>(rank)]; }
  void give(int rank, int block, int owner) { blocks_of(rank)[block] = {{owner, owner + 1}}; }

  void fail(std::string message) {
    if (message_.empty())
      message_ = std::move(message);
  }

  bool is_own_block(int rank, int block) const {
    return algorithm_.collective == Collective::alltoall ? block / schedule_.size == rank : block == rank;
  }

  // What ranks have before the call. The root is rank 0.
  void begin() {
    using enum Collective;
    held_.resize(static_cast<std::size_t>(schedule_.size));
    const auto operation = algorithm_.collective;
    const bool all_have_all = has_reduction(operation);
    const bool root_has_all = operation == bcast || operation == scatter;
    const auto starts = std::size_t{1} * static_cast<std::size_t>(schedule_.blocks) *
                        (all_have_all ? static_cast<std::size_t>(schedule_.size) : 1);
    if (starts > most_held)
      return fail(
          fmt::format("there are more than {} blocks to follow; only fewer ranks or blocks can be checked", most_held));
    for (int rank = 0; rank < schedule_.size; ++rank)
      for (int block = 0; block < schedule_.blocks; ++block)
        if (all_have_all || (root_has_all ? rank == 0 : is_own_block(rank, block)))
          give(rank, block, rank);
    count_ = starts;
  }

  // One step: all ranks send what they have before they receive.
  void pass(std::span<OwnMessage> messages) {
    std::vector<Passed> passed;
    for (auto& message : messages)
      for (int i = 0; i < message.count; ++i) {
        if (++moves_ > most_moves)
          return fail("there are too many blocks to follow");
        const int block = static_cast<int>((message.first + std::int64_t{i} * message.every) % schedule_.blocks);
        const auto& own = blocks_of(message.from);
        const auto found = own.find(block);
        if (found == own.end())
          return fail(fmt::format("rank {} has nothing of block {}, which it sends to rank {} in step {}", message.from,
                                  block, message.to, message.step));
        moves_ += static_cast<std::int64_t>(found->second.size());
        passed.push_back({&message, block, found->second});
        if (passed.size() > most_held)
          return fail("a step moves too many blocks to follow");
      }
    for (auto& each : passed)
      take(each);
  }

  void take(Passed& passed) {
    auto& message = *passed.message;
    auto [at, is_new] = blocks_of(message.to).try_emplace(passed.block);
    if (is_new && ++count_ > most_held)
      return fail("there are too many blocks to follow");
    if (!message.adds || is_new) {
      at->second = std::move(passed.content);
      return;
    }
    message.is_added = true;
    moves_ += static_cast<std::int64_t>(at->second.size());
    if (const auto twice = add_to(at->second, passed.content))
      fail(fmt::format("rank {} adds block {} of rank {} in step {}, and so the part of rank {} twice", message.to,
                       passed.block, message.from, message.step, *twice));
  }

  // The parts that the block consists of when the call has ended; none: the rank need not have it.
  std::optional<Summands> expected(int rank, int block) const {
    using enum Collective;
    const Summands all{{0, schedule_.size}};
    const auto of = [](int owner) { return Summands{{owner, owner + 1}}; };
    const auto only = [](bool is_due, Summands what) { return is_due ? std::optional(std::move(what)) : std::nullopt; };
    switch (algorithm_.collective) {
    case allreduce: return all;
    case reduce: return only(rank == 0, all);
    case reduce_scatter: return only(rank == block, all);
    case bcast: return of(0);
    case scatter: return only(rank == block, of(0));
    case gather: return only(rank == 0, of(block));
    case alltoall: return only(block % schedule_.size == rank, of(block / schedule_.size));
    default: return of(block); // an allgather
    }
  }

  void look_for_results() {
    for (int rank = 0; rank < schedule_.size && message_.empty(); ++rank)
      for (int block = 0; block < schedule_.blocks && message_.empty(); ++block)
        if (const auto due = expected(rank, block))
          compare(rank, block, *due);
  }

  void compare(int rank, int block, const Summands& due) {
    const auto& own = blocks_of(rank);
    const auto found = own.find(block);
    const auto steps = schedule_.alike_after.size();
    const auto what = found == own.end() ? "nothing" : "the part of " + to_text(found->second);
    if (found == own.end() || found->second != due)
      fail(fmt::format("rank {} has {} of block {} after the last of {} steps, expected the part of {}", rank, what,
                       block, steps, to_text(due)));
  }

  const OwnAlgorithm& algorithm_;
  OwnSchedule& schedule_;
  std::vector<Blocks> held_; // by rank
  std::size_t count_ = 0;
  std::int64_t moves_ = 0;
  std::string message_;
};

} // namespace

std::optional<Error> fault_of(const OwnAlgorithm& algorithm, OwnSchedule& schedule) {
  return Check(algorithm, schedule).fault();
}

} // namespace kakehashi
