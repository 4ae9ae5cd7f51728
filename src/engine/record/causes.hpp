// Events of a run, each with the one that it waited for → the critical path to any of them, in bounded memory.
//
// All that happened is a tree: the parent of a thing is what ended when it began. Things on which nothing that may
// still go on depends are forgotten. What all of that depends on is settled: it goes into one log. What one rank does
// in a row becomes one thing of each sort, and other long rows become logs, where nothing branches off; so the tree's
// size depends on how much goes on at once, not on how long the run is.
//
// Invariants:
// 1. A node lies behind the one that it waited for. So one pass backwards finds what is in use, and one forwards moves
//    these together.
// 2. A `Cause` that is no root of a collection has no meaning after it.
// 3. Nodes before `first_kept_` are in the log of what is settled, which ends at `settled_end_`; `no_cause` is that
//    end.
// 4. A log belongs to one node, which stands for a row of nodes from which nothing else followed.
// 5. Nodes that are joined keep their sum: the times of each sort of step on a rank stay what they were, only their
//    order is lost.
#pragma once

#include "result/path_log.hpp"

#include <algorithm>
#include <cassert>
#include <map>
#include <vector>

namespace kakehashi {

using Cause = std::uint32_t;
inline constexpr Cause no_cause = ~Cause{0};           // the run's start, or the end of what is settled
inline constexpr Cause forgotten_cause = no_cause - 1; // none that anything still depends on

class Causes {
public:
  // Begins to forget at so many things, and to keep rows of them as logs when more than many are left.
  Causes(std::size_t few, std::size_t many) : few_(few), most_(few), many_(many) { nodes_.reserve(few); }

  // An event that began when `before` had ended, and stands for so many.
  Cause add(const PathSort& sort, Seconds end, Cause before, std::uint32_t times = 1) {
    assert(before != forgotten_cause);
    const bool is_here = is_on_rank(sort.phase);
    nodes_.push_back({end, before, sort.from, sort.to, is_here ? times : sort.way,
                      is_here ? number_of_place(sort.place) : number_of({sort.size, sort.part, times, sort.place}),
                      sort.phase, static_cast<std::uint8_t>(sort.stage), sort.leg});
    return static_cast<Cause>(nodes_.size() - 1);
  }

  Seconds end_of(Cause cause) const { return cause == no_cause ? settled_end_ : nodes_[cause].end; }

  // There are so many that it is time to forget some.
  bool is_full() const { return nodes_.size() >= most_; }
  // Forgets all but what the causes depend on that are visited, and gives these their new numbers. Is called twice
  // with a visitor for a Cause&.
  template <typename VisitRoots> void collect(const VisitRoots& visit_roots) {
    begin_collection();
    visit_roots([this](Cause& cause) { use(cause); });
    forget_unused();
    visit_roots([this](Cause& cause) { cause = moved(cause); });
  }

  // The way is like that one, which messages take as long to flow over.
  void knows(std::uint32_t way, std::uint32_t like) {
    like_ways_.resize(std::max<std::size_t>(like_ways_.size(), way + 1));
    like_ways_[way] = like;
  }

  CriticalPath path_to(Cause last) const;
  std::size_t size() const { return nodes_.size(); }

private:
  struct Node { // two to a line of the cache
    Seconds end;
    Cause before;
    int from;
    int to;
    std::uint32_t detail; // its way; or of a rank's, how many it stands for; or which log
    std::uint32_t sizes;  // index
    Phase phase;
    std::uint8_t stage; // at most a hundred
    std::uint16_t leg;

    bool is_log() const { return phase == log_phase; }
  };
  struct Sizes {
    Bytes size;
    Bytes part;
    std::uint32_t times = 1; // the number of steps for which it stands
    std::uint32_t place = 0; // a place in the program
    auto operator<=>(const Sizes&) const = default;
  };
  static constexpr Phase log_phase{255};
  enum class Uses : std::uint8_t { none, one, several }; // the nodes and roots that use it

  std::uint32_t number_of(const Sizes& sizes) { return sizes_[last_sizes_] == sizes ? last_sizes_ : find_sizes(sizes); }
  std::uint32_t find_sizes(const Sizes& sizes);
  std::uint32_t number_of_place(std::uint32_t place) { // without sizes
    if (place >= numbers_of_places_.size())
      numbers_of_places_.resize(place + 1);
    auto& number = numbers_of_places_[place];
    return number != 0 || place == 0 ? number : number = find_sizes({{}, {}, 1, place});
  }

  void begin_collection();
  void use(Cause cause) {
    if (cause == forgotten_cause)
      return;
    auto& uses = cause == no_cause ? start_uses_ : uses_[cause];
    uses = uses == Uses::none ? Uses::one : Uses::several;
  }
  void forget_unused();
  std::size_t count_uses();
  std::size_t settle();
  std::size_t fold();
  void close_gaps(bool joins_steps);
  bool join(const Node& node);
  std::uint32_t take_log();
  void drop_log(const Node& node);
  std::uint32_t log_of(Node& first);
  Cause moved(Cause cause) const { return cause < forgotten_cause ? moved_[cause] : cause; }
  bool is_inner(Cause cause) const { return cause < forgotten_cause && uses_[cause] == Uses::one; }
  PathStep step_of(const Node& node) const;
  void tell(PathLog& log, const Node& node) const;

  std::size_t few_;
  std::size_t most_;
  std::size_t many_;
  std::vector<Node> nodes_; // each behind the one before it
  std::vector<Sizes> sizes_{{}};
  std::map<Sizes, std::uint32_t> numbers_of_sizes_;
  std::uint32_t last_sizes_ = 0;
  std::vector<std::uint32_t> numbers_of_places_;
  std::vector<std::uint32_t> like_ways_;
  std::vector<PathLog> logs_;
  std::vector<std::uint32_t> free_logs_;
  PathLog settled_;
  Seconds settled_end_;

  // While it collects.
  std::vector<Uses> uses_;   // the uses of each node
  std::vector<Cause> moved_; // the new number of each
  Uses start_uses_ = Uses::none;
  Cause first_kept_ = 0; // those in use before it are settled
};

} // namespace kakehashi
