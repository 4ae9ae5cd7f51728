#include "engine/record/causes.hpp"

#include <algorithm>
#include <utility>

namespace kakehashi {
namespace {

constexpr std::size_t least_fold = 64;        // nodes in a row that are worth a log
constexpr PathLog::Room room_of_row{256, 32}; // there may be thousands
constexpr int kinds_of_steps = 3;             // on a rank

} // namespace

std::uint32_t Causes::find_sizes(const Sizes& sizes) {
  const auto [found, is_new] = numbers_of_sizes_.try_emplace(sizes, static_cast<std::uint32_t>(sizes_.size()));
  if (is_new)
    sizes_.push_back(sizes);
  return last_sizes_ = found->second;
}

void Causes::begin_collection() {
  uses_.assign(nodes_.size(), Uses::none);
  moved_.resize(nodes_.size());
  start_uses_ = Uses::none;
  first_kept_ = 0;
}

void Causes::forget_unused() {
  auto left = count_uses();
  const bool are_many = left > few_ / 2;
  if (are_many)
    left -= settle();
  if (left > many_) {
    left -= fold();
    many_ = std::max(many_, 2 * left);
  }
  close_gaps(are_many);
  left = nodes_.size();
  most_ = std::max(few_, std::min(8 * left, 2 * left + 16 * few_));
  nodes_.reserve(most_);
}

// Returns how many are in use.
std::size_t Causes::count_uses() {
  std::size_t used = 0;
  for (auto cause = nodes_.size(); cause-- > 0;)
    if (uses_[cause] != Uses::none) {
      use(nodes_[cause].before);
      ++used;
    }
  return used;
}

// Takes away the first ones, as long as all others depend on them. Returns how many.
std::size_t Causes::settle() {
  std::size_t settled = 0;
  for (; first_kept_ < nodes_.size() && start_uses_ == Uses::one; ++first_kept_)
    if (auto& uses = uses_[first_kept_]; uses != Uses::none) {
      const auto& node = nodes_[first_kept_];
      tell(settled_, node);
      settled_end_ = node.end;
      start_uses_ = std::exchange(uses, Uses::none);
      ++settled;
    }
  return settled;
}

// Makes one node of each long row of nodes from which nothing but the next one follows. Returns how many there are
// fewer. All rows grow side by side, since what is in the order of time is so in memory.
std::size_t Causes::fold() {
  struct Row {
    Cause before = no_cause;
    Cause last = no_cause;
    std::uint32_t nodes = 0;
    std::uint32_t log = 0;
  };
  std::vector<Row> rows;
  auto& row_of = moved_; // the row of each node in use
  for (Cause cause = first_kept_; cause < nodes_.size(); ++cause)
    if (uses_[cause] != Uses::none) {
      const auto before = nodes_[cause].before;
      row_of[cause] = is_inner(before) ? row_of[before] : static_cast<std::uint32_t>(rows.size());
      if (!is_inner(before))
        rows.push_back({before});
      auto& row = rows[row_of[cause]];
      row.last = cause;
      ++row.nodes;
    }
  std::size_t fewer = 0;
  for (Cause cause = first_kept_; cause < nodes_.size(); ++cause)
    if (uses_[cause] != Uses::none && rows[row_of[cause]].nodes >= least_fold) {
      auto& row = rows[row_of[cause]];
      auto& node = nodes_[cause];
      if (node.before != row.before)
        tell(logs_[row.log], node);
      else
        row.log = log_of(node);
      if (cause == row.last) {
        drop_log(node);
        node.before = row.before;
        node.detail = row.log;
        node.phase = log_phase;
      } else {
        uses_[cause] = Uses::none;
        ++fewer;
      }
    }
  return fewer;
}

// The log of the first one of a row, which is the row's from now on.
std::uint32_t Causes::log_of(Node& first) {
  const auto log = first.is_log() ? first.detail : take_log();
  if (!first.is_log())
    tell(logs_[log], first);
  first.phase = {};
  return log;
}

// Puts what is left in the places of what is not.
void Causes::close_gaps(bool joins_steps) {
  const bool has_logs = logs_.size() > free_logs_.size();
  Cause next = 0;
  std::fill_n(moved_.begin(), first_kept_, no_cause);
  for (Cause cause = 0; cause < nodes_.size(); ++cause) {
    const auto uses = uses_[cause];
    if (uses == Uses::none) {
      if (has_logs)
        drop_log(nodes_[cause]);
      continue;
    }
    auto node = nodes_[cause];
    node.before = moved(node.before);
    const bool is_joined = joins_steps && join(node);
    moved_[cause] = is_joined ? node.before : next++;
    uses_[moved_[cause]] = uses;
    if (!is_joined)
      nodes_[moved_[cause]] = node;
  }
  nodes_.resize(next);
}

// Takes a step on a rank together with one of its sort, if nothing follows from that one, and from those between them,
// but the next step there. Whether it did.
bool Causes::join(const Node& node) {
  if (!is_on_rank(node.phase))
    return false;
  auto like = node.before;
  const auto may_join = [&] {
    return is_inner(like) && is_on_rank(nodes_[like].phase) && nodes_[like].from == node.from;
  };
  const auto is_like = [&] {
    return nodes_[like].phase == node.phase && nodes_[like].stage == node.stage && nodes_[like].sizes == node.sizes;
  };
  for (int back = 1; may_join() && !is_like() && back < kinds_of_steps; ++back)
    like = nodes_[like].before;
  if (!may_join() || !is_like())
    return false;
  const auto time = node.end - end_of(node.before);
  nodes_[like].detail += node.detail;
  nodes_[like].end += time;
  for (auto between = node.before; between != like; between = nodes_[between].before)
    nodes_[between].end += time;
  nodes_[node.before].end = node.end;
  return true;
}

std::uint32_t Causes::take_log() {
  if (free_logs_.empty()) {
    logs_.emplace_back(room_of_row);
    return static_cast<std::uint32_t>(logs_.size() - 1);
  }
  const auto log = free_logs_.back();
  free_logs_.pop_back();
  return log;
}

void Causes::drop_log(const Node& node) {
  if (!node.is_log())
    return;
  logs_[node.detail] = PathLog(room_of_row);
  free_logs_.push_back(node.detail);
}

PathStep Causes::step_of(const Node& node) const {
  const auto& [size, part, times, place] = sizes_[node.sizes];
  const bool is_here = is_on_rank(node.phase);
  return {node.phase,
          node.stage,
          node.leg,
          node.from,
          node.to,
          is_here ? 0 : node.detail,
          size,
          part,
          end_of(node.before),
          node.end,
          is_here ? node.detail : times,
          is_here || node.detail >= like_ways_.size() ? node.detail : like_ways_[node.detail],
          place};
}

void Causes::tell(PathLog& log, const Node& node) const {
  if (node.is_log())
    log.add(logs_[node.detail]);
  else
    log.add(step_of(node));
}

CriticalPath Causes::path_to(Cause last) const {
  std::vector<Cause> row;
  for (auto cause = last; cause != no_cause; cause = nodes_[cause].before)
    row.push_back(cause);
  CriticalPath path{settled_, {}};
  bool is_whole = settled_end_ == Seconds{};
  for (auto cause = row.rbegin(); cause != row.rend(); ++cause) {
    const auto& node = nodes_[*cause];
    tell(path.log, node);
    is_whole = is_whole && !node.is_log() && step_of(node).count == 1;
    if (is_whole)
      path.steps.push_back(step_of(node));
  }
  if (!is_whole)
    path.steps.clear();
  return path;
}

} // namespace kakehashi
