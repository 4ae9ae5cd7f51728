// For each of many things: when it may complete and when it must → which may by now, and when the next one must.
//
// Groups of some keep the least of theirs, so that a look at all of them is one at the groups. A group that has changed
// is looked at only when the next one is asked for.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <limits>
#include <vector>

namespace kakehashi {

class CompletionTimes {
public:
  static constexpr double never = std::numeric_limits<double>::infinity();

  std::size_t size() const { return earliest_.size(); }
  // One more, at the last place.
  void add() {
    if (size() % group_size == 0)
      groups_.push_back({});
    earliest_.push_back(never);
    latest_.push_back(never);
  }
  // The last one takes its place.
  void remove(std::size_t place) {
    set(place, earliest_.back(), latest_.back());
    set(size() - 1, never, never);
    earliest_.pop_back();
    latest_.pop_back();
    if (size() % group_size == 0)
      groups_.pop_back();
  }
  void set(std::size_t place, double earliest, double latest) {
    auto& group = groups_[place / group_size];
    const bool was_least = earliest_[place] == group.earliest || latest_[place] == group.latest;
    group.is_stale = group.is_stale || was_least;
    group.earliest = std::min(group.earliest, earliest);
    group.latest = std::min(group.latest, latest);
    earliest_[place] = earliest;
    latest_[place] = latest;
  }

  double next() {
    double next = never;
    for (std::size_t group = 0; group < groups_.size(); ++group) {
      if (groups_[group].is_stale)
        look_at(group);
      next = std::min(next, groups_[group].latest);
    }
    return next;
  }
  // Calls for the places of those that may complete by then, from the last place on; they may be set and removed.
  template <class Take> void take(double until, Take take) {
    for (auto group = groups_.size(); group-- > 0;) {
      if (groups_[group].earliest > until)
        continue;
      groups_[group].is_stale = true;
      for (auto place = std::min(size(), (group + 1) * group_size); place-- > group * group_size;)
        if (earliest_[place] <= until)
          take(place);
    }
  }

private:
  static constexpr std::size_t group_size = 16;
  struct Group {
    double earliest = never;
    double latest = never;
    bool is_stale = false; // its times may be earlier than those of its keys
  };
  void look_at(std::size_t number) {
    Group group;
    for (auto place = number * group_size; place < std::min(size(), (number + 1) * group_size); ++place) {
      group.earliest = std::min(group.earliest, earliest_[place]);
      group.latest = std::min(group.latest, latest_[place]);
    }
    groups_[number] = group;
  }

  std::vector<double> earliest_;
  std::vector<double> latest_;
  std::vector<Group> groups_;
};

} // namespace kakehashi
