#include "workload/collective/own_algorithm.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace kakehashi {
namespace {

// 120 MB.
constexpr std::size_t most_messages = std::size_t{1} << 22;
constexpr std::size_t most_work = std::size_t{1} << 28; // operators of formulas
constexpr std::int64_t most_steps = std::int64_t{1} << 20;
constexpr std::int64_t most_blocks = std::int64_t{1} << 26;

constexpr int most_ranks_of_alltoall = 2048;

// A rule has no value, or one out of range.
struct Unfit {
  Error error;
};

class Writer {
public:
  Writer(const OwnAlgorithm& algorithm, int size, std::optional<int> per_node) : algorithm_(algorithm) {
    schedule_.size = size;
    set(Variable::size, size);
    set(Variable::per_node, per_node.value_or(0));
    has_per_node_ = per_node.has_value();
  }

  OwnSchedule write() {
    if (algorithm_.collective == Collective::alltoall && schedule_.size > most_ranks_of_alltoall)
      refuse("", fmt::format("can be checked for at most {} ranks", most_ranks_of_alltoall));
    schedule_.blocks = algorithm_.collective == Collective::alltoall ? schedule_.size * schedule_.size : schedule_.size;
    if (algorithm_.blocks)
      schedule_.blocks = static_cast<int>(value(*algorithm_.blocks, "/blocks", 1, most_blocks));
    set(Variable::blocks, schedule_.blocks);
    for (const auto& phase : algorithm_.phases)
      add(phase);
    note_ranks();
    return std::move(schedule_);
  }

private:
  void set(Variable variable, std::int64_t value) { variables_[static_cast<std::size_t>(variable)] = value; }

  [[noreturn]] void refuse(const std::string& place, std::string message) const {
    throw Unfit{input_error(algorithm_.file, place, std::move(message))};
  }

  std::string where() const {
    return fmt::format("rank {} of {} in step {}", variables_[0], schedule_.size, variables_[2]);
  }

  std::int64_t value(const Expression& expression, const std::string& place, std::int64_t least, std::int64_t most) {
    if (!has_per_node_ && expression.names(Variable::per_node))
      refuse(place, "\"per_node\" has no value: nodes have different numbers of ranks, or these are not node by node");
    const auto found = expression.value(variables_);
    if (!found)
      refuse(place, fmt::format("has no value for {}: it divides by zero, or a number is too large", where()));
    if (*found < least || *found > most)
      refuse(place, fmt::format("is {} for {}, expected {} to {}", *found, where(), least, most));
    return *found;
  }

  void add(const OwnPhase& phase) {
    set(Variable::rank, 0);
    set(Variable::step, 0);
    const auto steps = value(phase.steps, phase.place + "/steps", 0, most_steps - step_);
    const auto first = static_cast<std::size_t>(step_);
    for (std::int64_t step = 0; step < steps; ++step) {
      set(Variable::step, step);
      for (const auto& rule : phase.rules)
        add(rule);
      ++step_;
      schedule_.alike_after.push_back(-1);
    }
    note_alike(first);
  }

  void add(const OwnRule& rule) {
    if (rule.from) {
      set(Variable::rank, 0);
      set(Variable::rank, value(*rule.from, rule.place + "/from", 0, schedule_.size - 1));
      return add_of_rank(rule);
    }
    for (int rank = 0; rank < schedule_.size; ++rank) {
      set(Variable::rank, rank);
      add_of_rank(rule);
    }
  }

  void add_of_rank(const OwnRule& rule) {
    work_ += rule.holds.length() + rule.to.length() + rule.first.length() + rule.count.length() + rule.every.length();
    if (work_ > most_work)
      refuse("", fmt::format("has too many steps and rules for {} ranks", schedule_.size));
    constexpr std::int64_t any = std::int64_t{1} << 62;
    if (value(rule.holds, rule.place + "/if", -any, any) == 0)
      return;
    const auto rank = variables_[0];
    const auto to = value(rule.to, rule.place + "/to", 0, schedule_.size - 1);
    if (to == rank)
      refuse(rule.place + "/to", fmt::format("is {} itself", where()));
    const auto first = value(rule.first, rule.place + "/first", 0, schedule_.blocks - 1);
    const auto count = value(rule.count, rule.place + "/count", 0, schedule_.blocks);
    const auto every = value(rule.every, rule.place + "/every", 1, schedule_.blocks);
    if (schedule_.messages.size() >= most_messages)
      refuse("", fmt::format("has more than {} messages for {} ranks", most_messages, schedule_.size));
    schedule_.messages.push_back({step_, static_cast<int>(rank), static_cast<int>(to), static_cast<int>(first),
                                  static_cast<int>(count), static_cast<int>(every), rule.adds, false});
  }

  // Whether the ranks do the same in each step of the phase that began with this step.
  void note_alike(std::size_t first) {
    const auto& messages = schedule_.messages;
    const auto ranks = static_cast<std::size_t>(schedule_.size);
    const auto begin = static_cast<std::size_t>(
        std::ranges::lower_bound(messages, static_cast<int>(first), {}, &OwnMessage::step) - messages.begin());
    const auto steps = static_cast<std::size_t>(step_) - first;
    if (messages.size() - begin != steps * ranks)
      return;
    const auto way = [&](const OwnMessage& message) {
      return std::tuple((message.to - message.from + schedule_.size) % schedule_.size, message.count, message.adds);
    };
    for (std::size_t i = begin; i < messages.size(); ++i)
      if (messages[i].step != static_cast<int>(first + (i - begin) / ranks) ||
          messages[i].from != static_cast<int>((i - begin) % ranks) || way(messages[i]) != way(messages[begin]))
        return;
    for (std::size_t i = 0; i < steps; ++i)
      schedule_.alike_after[first + i] = static_cast<int>(steps - 1 - i);
  }

  void note_ranks() {
    schedule_.of_rank.resize(static_cast<std::size_t>(schedule_.size));
    for (std::uint32_t i = 0; i < schedule_.messages.size(); ++i)
      for (const int rank : {schedule_.messages[i].from, schedule_.messages[i].to})
        schedule_.of_rank[static_cast<std::size_t>(rank)].push_back(i);
  }

  const OwnAlgorithm& algorithm_;
  OwnSchedule schedule_;
  Variables variables_{};
  bool has_per_node_ = false;
  int step_ = 0;
  std::size_t work_ = 0;
};

} // namespace

Result<OwnSchedule> steps_of(const OwnAlgorithm& algorithm, int size, std::optional<int> per_node) {
  try {
    return Writer(algorithm, size, per_node).write();
  } catch (const Unfit& unfit) {
    return unfit.error;
  }
}

} // namespace kakehashi
