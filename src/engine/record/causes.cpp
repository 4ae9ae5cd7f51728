#include "engine/record/causes.hpp"

#include <algorithm>

namespace kakehashi {
namespace {

constexpr std::size_t least_fold = 64; // nodes in a row that are worth a log

} // namespace

Cause Causes::add(const PathStep& step, Cause before) {
  if (free_.empty() && nodes_.size() >= most_)
    collect(before);
  if (!free_.empty()) {
    const auto cause = free_.back();
    free_.pop_back();
    nodes_[cause] = {step, before};
    return cause;
  }
  nodes_.push_back({step, before});
  return static_cast<Cause>(nodes_.size() - 1);
}

// Each node counts those that use it; what nothing uses is free.
void Causes::collect(Cause also_used) {
  for (auto& node : nodes_)
    node.uses = 0;
  const auto use = [this](Cause cause) {
    while (cause != no_cause && nodes_[cause].uses++ == 0)
      cause = nodes_[cause].before;
  };
  use(also_used);
  roots_(use);
  free_.clear();
  for (Cause cause = 0; cause < nodes_.size(); ++cause)
    if (nodes_[cause].uses == 0)
      release(cause);
  if (size() > most_ / 2)
    fold();
  most_ = std::max(most_, 2 * size());
}

void Causes::release(Cause cause) {
  auto& node = nodes_[cause];
  if (node.log != no_log) {
    logs_[node.log].reset();
    free_logs_.push_back(node.log);
    node.log = no_log;
  }
  node.before = no_cause;
  free_.push_back(cause);
}

void Causes::fold() {
  std::vector<bool> is_inner(nodes_.size());
  for (const auto& node : nodes_)
    if (node.uses > 0 && node.before != no_cause && nodes_[node.before].uses == 1)
      is_inner[node.before] = true;
  for (Cause cause = 0; cause < nodes_.size(); ++cause)
    if (nodes_[cause].uses > 0 && !is_inner[cause])
      fold_from(cause, is_inner);
}

// Makes one node of those from which nothing but the next one follows.
void Causes::fold_from(Cause top, const std::vector<bool>& is_inner) {
  std::vector<Cause> row{top};
  while (nodes_[row.back()].before != no_cause && is_inner[nodes_[row.back()].before])
    row.push_back(nodes_[row.back()].before);
  if (row.size() < least_fold)
    return;
  const auto first = row.back();
  auto log = nodes_[first].log != no_log ? std::move(logs_[nodes_[first].log]) : std::make_unique<PathLog>();
  if (nodes_[first].log == no_log)
    log->add(nodes_[first].step);
  for (auto cause = row.rbegin() + 1; cause != row.rend(); ++cause)
    if (const auto& node = nodes_[*cause]; node.log != no_log)
      log->add(*logs_[node.log]);
    else
      log->add(node.step);
  const auto before = nodes_[first].before;
  for (const auto cause : row)
    if (cause != top) {
      release(cause);
      nodes_[cause].uses = 0;
    }
  auto& node = nodes_[top];
  node.before = before;
  if (node.log == no_log) {
    if (free_logs_.empty()) {
      free_logs_.push_back(static_cast<std::uint32_t>(logs_.size()));
      logs_.emplace_back();
    }
    node.log = free_logs_.back();
    free_logs_.pop_back();
  }
  logs_[node.log] = std::move(log);
}

CriticalPath Causes::path_to(Cause last) const {
  std::vector<Cause> row;
  for (auto cause = last; cause != no_cause; cause = nodes_[cause].before)
    row.push_back(cause);
  CriticalPath path;
  bool is_whole = true;
  for (auto cause = row.rbegin(); cause != row.rend(); ++cause)
    if (const auto& node = nodes_[*cause]; node.log != no_log) {
      path.log.add(*logs_[node.log]);
      is_whole = false;
    } else {
      path.log.add(node.step);
      path.steps.push_back(node.step);
    }
  if (!is_whole)
    path.steps.clear();
  return path;
}

} // namespace kakehashi
