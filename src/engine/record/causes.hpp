// What happened, each thing with the one that it waited for → the critical path to any of them, in bounded memory.
//
// All that happened is a tree: the parent of a thing is what ended when it began. Things on which nothing that may
// still go on depends are forgotten, and where nothing branches off for long, the tree keeps a log instead of its
// things; so its size depends on how much goes on at once, not on how long the run is.
#pragma once

#include "result/path_log.hpp"

#include <functional>
#include <memory>

namespace kakehashi {

using Cause = std::uint32_t;
inline constexpr Cause no_cause = ~Cause{0}; // the run's start

class Causes {
public:
  // Calls what it is given for each cause on which anything may still depend.
  using Roots = std::function<void(const std::function<void(Cause)>&)>;

  Causes(Roots roots, std::size_t most_nodes) : roots_(std::move(roots)), most_(most_nodes) {}

  // What happened, and what it waited for. May forget causes that are no roots.
  Cause add(const PathStep& step, Cause before);
  Seconds end(Cause cause) const { return cause == no_cause ? Seconds{} : nodes_[cause].step.end; }

  CriticalPath path_to(Cause last) const;
  std::size_t size() const { return nodes_.size() - free_.size(); }

private:
  struct Node {
    PathStep step;
    Cause before = no_cause;
    std::uint32_t log = no_log; // of steps before and this one, instead of the step
    std::uint32_t uses = 0;     // while collecting: by nodes and roots
  };
  static constexpr std::uint32_t no_log = ~std::uint32_t{0};

  void collect(Cause also_used);
  void fold();
  void fold_from(Cause top, const std::vector<bool>& is_inner);
  void release(Cause cause);

  Roots roots_;
  std::size_t most_;
  std::vector<Node> nodes_;
  std::vector<Cause> free_;
  std::vector<std::unique_ptr<PathLog>> logs_;
  std::vector<std::uint32_t> free_logs_;
};

} // namespace kakehashi
