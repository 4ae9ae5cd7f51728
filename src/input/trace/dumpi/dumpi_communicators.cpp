#include "input/trace/dumpi/dumpi_communicators.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <numeric>
#include <set>

namespace kakehashi {
namespace {

using Members = std::vector<int>;
using Call = DumpiGroupCalls::Call;

constexpr std::array makers{"Comm_dup",   "Comm_create",        "Comm_split",       "Cart_create",
                            "Cart_sub",   "Graph_create",       "Intercomm_create", "Intercomm_merge",
                            "Comm_spawn", "Comm_spawn_multiple"};
constexpr std::array group_makers{"Comm_group",       "Group_incl",         "Group_excl",       "Group_union",
                                  "Group_difference", "Group_intersection", "Group_range_incl", "Group_range_excl"};
constexpr std::int64_t first_of_users = 2; // below are the numbers of no communicator, and of no group

bool is_in(const auto& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

bool has(const Members& members, int rank) {
  return std::ranges::find(members, rank) != members.end();
}

// The ranks of triples (first, last, stride).
Members ranks_in(const std::vector<std::int64_t>& triples, std::size_t most) {
  Members ranks;
  for (std::size_t i = 0; i + 2 < triples.size(); i += 3) {
    const auto stride = triples[i + 2];
    for (auto rank = triples[i]; stride != 0 && ranks.size() < most; rank += stride) {
      if (stride > 0 ? rank > triples[i + 1] : rank < triples[i + 1])
        break;
      ranks.push_back(static_cast<int>(rank));
    }
  }
  return ranks;
}

// The members at these places, or all others.
Members chosen(const Members& members, const std::vector<int>& places, bool keeps) {
  Members kept;
  if (keeps) {
    for (const int place : places)
      if (place >= 0 && static_cast<std::size_t>(place) < members.size())
        kept.push_back(members[static_cast<std::size_t>(place)]);
    return kept;
  }
  const std::set<int> dropped(places.begin(), places.end());
  for (std::size_t i = 0; i < members.size(); ++i)
    if (!dropped.contains(static_cast<int>(i)))
      kept.push_back(members[i]);
  return kept;
}

Members combined(std::string_view how, const Members& one, const Members& other) {
  Members result;
  for (const int rank : one)
    if (how == "Group_union" || has(other, rank) == (how == "Group_intersection"))
      result.push_back(rank);
  for (const int rank : other)
    if (how == "Group_union" && !has(one, rank))
      result.push_back(rank);
  return result;
}

// A rank, as far as its calls have been followed.
struct State {
  std::size_t at = 0; // in its calls
  std::map<std::int64_t, std::size_t> communicators{{dumpi_world, 0}};
  std::map<std::int64_t, Members> groups;
  std::map<std::size_t, int> made_of; // number of communicators made of each
  bool waits = false;
};

class Follower {
public:
  explicit Follower(const std::vector<DumpiGroupCalls>& ranks) : ranks_(ranks), states_(ranks.size()) {
    result_.made.resize(ranks.size());
    Members all(ranks.size());
    std::iota(all.begin(), all.end(), 0);
    add("world", std::move(all));
  }

  DumpiCommunicators follow() {
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t rank = 0; rank < ranks_.size(); ++rank)
        while (!states_[rank].waits && states_[rank].at < ranks_[rank].calls.size()) {
          step(static_cast<int>(rank));
          moved = true;
        }
    }
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) // others never make their calls
      result_.made[rank].resize(static_cast<std::size_t>(std::ranges::count_if(
          ranks_[rank].calls, [](const Call& call) { return makes_communicator(call.function); })));
    return std::move(result_);
  }

private:
  State& state(int rank) { return states_[static_cast<std::size_t>(rank)]; }
  const Call& call_of(int rank) { return ranks_[static_cast<std::size_t>(rank)].calls[state(rank).at]; }
  std::size_t add(std::string name, Members members) {
    result_.groups.push_back({std::move(name), std::move(members)});
    dims_.emplace_back();
    return result_.groups.size() - 1;
  }
  const Members& group(int rank, std::int64_t number) { return state(rank).groups[number]; }

  void step(int rank) {
    const auto& call = call_of(rank);
    if (!makes_communicator(call.function)) {
      make_group(rank, call);
      ++state(rank).at;
      return;
    }
    const auto old = state(rank).communicators.find(old_communicator(call.function, call.values));
    if (old == state(rank).communicators.end() || call.function.starts_with("Intercomm") ||
        call.function.starts_with("Comm_spawn"))
      return made(rank, std::nullopt);
    state(rank).waits = true;
    const auto key = std::pair(old->second, state(rank).made_of[old->second]++);
    auto& there = arrived_[key];
    there.push_back(rank);
    if (there.size() == result_.groups[key.first].members.size()) {
      make(key.first, result_.groups[key.first].members);
      arrived_.erase(key);
    }
  }

  void make_group(int rank, const Call& call) {
    auto& groups = state(rank).groups;
    const auto& values = call.values;
    const auto first = values[0].number;
    auto& made = groups[values.back().number];
    if (call.function == "Comm_group") {
      const auto found = state(rank).communicators.find(first);
      made = found == state(rank).communicators.end() ? Members() : result_.groups[found->second].members;
    } else if (call.function == "Group_incl" || call.function == "Group_excl") {
      made =
          chosen(Members(groups[first]), {values[2].list.begin(), values[2].list.end()}, call.function == "Group_incl");
    } else if (call.function.starts_with("Group_range")) {
      made = chosen(Members(groups[first]), ranks_in(values[2].list, groups[first].size()),
                    call.function == "Group_range_incl");
    } else {
      made = combined(call.function, Members(groups[first]), Members(groups[values[1].number]));
    }
  }

  void made(int rank, std::optional<std::size_t> index) {
    const auto number = call_of(rank).values.back().number;
    if (index)
      state(rank).communicators[number] = *index;
    else
      state(rank).communicators.erase(number);
    result_.made[static_cast<std::size_t>(rank)].push_back(index);
    state(rank).waits = false;
    ++state(rank).at;
  }

  // Members of the old communicator that are in one new one have the same colour, and their order there follows from
  // their keys.
  void make(std::size_t old, const Members all) {
    using Place = std::tuple<std::int64_t, std::size_t>;
    std::map<std::vector<std::int64_t>, std::vector<std::pair<Place, int>>> colours;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto& call = call_of(all[i]);
      if (call.values.back().number < first_of_users)
        made(all[i], std::nullopt);
      else
        colours[colour_of(call, old, i)].push_back({{key_of(call, all[i]), i}, all[i]});
    }
    for (auto& [colour, places] : colours) {
      std::ranges::sort(places);
      Members members;
      for (const auto& [place, rank] : places)
        members.push_back(rank);
      const auto& call = call_of(members.front());
      const auto index = add(fmt::format("{} {}", call.function, result_.groups.size()), members);
      if (call.function == "Cart_create")
        dims_[index] = call.values[2].list;
      for (const int rank : members)
        made(rank, index);
    }
  }

  std::vector<std::int64_t> colour_of(const Call& call, std::size_t old, std::size_t place) {
    if (call.function == "Comm_split")
      return {call.values[1].number};
    std::vector<std::int64_t> dropped; // coordinates along the sides that a part of a grid does not have
    if (call.function == "Cart_sub")
      for (auto side = dims_[old].size(); side-- > 0;) {
        const auto length = static_cast<std::size_t>(std::max<std::int64_t>(1, dims_[old][side]));
        const auto& kept = call.values[2].list;
        if (side >= kept.size() || kept[side] == 0)
          dropped.push_back(static_cast<std::int64_t>(place % length));
        place /= length;
      }
    return dropped;
  }

  std::int64_t key_of(const Call& call, int rank) {
    if (call.function == "Comm_split")
      return call.values[2].number;
    if (call.function != "Comm_create")
      return 0;
    const auto& members = group(rank, call.values[1].number);
    return std::ranges::find(members, rank) - members.begin();
  }

  const std::vector<DumpiGroupCalls>& ranks_;
  std::vector<State> states_;
  DumpiCommunicators result_;
  std::vector<std::vector<std::int64_t>> dims_; // of each group that is a grid
  std::map<std::pair<std::size_t, int>, Members> arrived_;
};

} // namespace

bool makes_communicator(std::string_view function) {
  return is_in(makers, function);
}

std::int64_t old_communicator(std::string_view function, const std::vector<DumpiValue>& values) {
  if (function == "Comm_spawn")
    return values[2].number;
  if (function == "Comm_spawn_multiple")
    return values[3].number;
  return values[function == "Cart_sub" || function == "Graph_create" ? 1 : 0].number;
}

void DumpiGroupCalls::take(const DumpiCall& call) {
  const auto name = dumpi_name(call.function);
  if (is_in(makers, name) || is_in(group_makers, name))
    calls.push_back({name, call.values});
}

DumpiCommunicators dumpi_communicators(const std::vector<DumpiGroupCalls>& ranks) {
  return Follower(ranks).follow();
}

} // namespace kakehashi
