#include "input/trace/gpu/nccl_groups.hpp"

#include "base/number.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>
#include <tuple>

namespace kakehashi {
namespace {

// Orders "node9:1" before "node10:1".
std::tuple<std::string, std::uint64_t, int, std::string> order_of(const NcclCommunicator& part) {
  const auto host = part.process.substr(0, part.process.rfind(':'));
  const auto letters = host.find_last_not_of("0123456789") + 1;
  return {host.substr(0, letters), number_in<std::uint64_t>(host.substr(letters)).value_or(0), part.device,
          part.process};
}

} // namespace

Errors NcclGroups::find() {
  if (auto errors = collect(); !errors.empty())
    return errors;
  if (auto errors = find_world(); !errors.empty())
    return errors;
  std::map<std::string, std::size_t> places;
  for (const auto& id : order_) {
    if (is_whole(parts_[id])) {
      places.emplace(id, groups.size());
      groups.push_back({id, {}});
      for (const auto& [rank, place] : parts_[id].places)
        groups.back().members.push_back(ranks_of_.at(place));
    } else if (std::ranges::any_of(log_.calls(), [&](const auto& call) { return ids_[call.communicator] == id; }))
      return missing(id);
  }
  for (const auto& id : ids_)
    group_of.push_back(places.contains(id) ? places[id] : 0);
  return {};
}

// The parts of one communicator have one id. Without ids, parts of the same size are assumed to be the same
// communicator, in each process's order.
Errors NcclGroups::collect() {
  std::map<std::pair<Place, int>, std::size_t> unnamed;
  for (const auto& part : log_.communicators())
    ids_.push_back(part.id.empty() ? fmt::format("{} ranks #{}", part.ranks,
                                                 unnamed[{Place{part.process, part.device}, part.ranks}]++)
                                   : part.id);
  if (auto errors = number_parts(); !errors.empty())
    return errors;
  for (std::size_t i = 0; i < ids_.size(); ++i) {
    const auto& part = log_.communicators()[i];
    const auto [found, is_new] = parts_.emplace(ids_[i], Parts{part.ranks});
    if (is_new)
      order_.push_back(ids_[i]);
    if (found->second.ranks != part.ranks ||
        !found->second.places.emplace(numbers_[i], Place{part.process, part.device}).second)
      return {file_error(ErrorKind::input, file_,
                         fmt::format("communicator {} has rank {} of {} twice, or another size; the logs of one run "
                                     "belong here",
                                     ids_[i], numbers_[i], part.ranks))};
  }
  return {};
}

// Finds the rank of each part. Those of communicators that no line begins are what their calls state, if these are
// different; else they follow from the order of hosts and devices.
Errors NcclGroups::number_parts() {
  std::map<std::string, std::vector<std::size_t>> parts; // parts of the communicators that no line begins
  for (std::size_t i = 0; i < ids_.size(); ++i) {
    numbers_.push_back(log_.communicators()[i].rank.value_or(0));
    if (log_.communicators()[i].line > 0)
      parts[ids_[i]].push_back(i);
  }
  for (auto& [id, of_id] : parts) {
    const auto& first = log_.communicators()[of_id.front()];
    if (of_id.size() != static_cast<std::size_t>(first.ranks))
      return {input_error(first.file, fmt::format("line {}", first.line),
                          fmt::format("a call in a communicator of {}, which no line begins, and the logs have such "
                                      "calls of {}; NCCL_DEBUG_SUBSYS=INIT,COLL writes which ranks are in it",
                                      counted(static_cast<std::size_t>(first.ranks), "rank"),
                                      counted(of_id.size(), "device")))};
    std::set<int> stated;
    for (const auto i : of_id)
      if (const auto rank = log_.communicators()[i].rank)
        stated.insert(*rank);
    if (stated.size() == of_id.size())
      continue;
    is_assumed = true;
    std::ranges::stable_sort(of_id, {}, [&](auto i) { return order_of(log_.communicators()[i]); });
    for (std::size_t rank = 0; rank < of_id.size(); ++rank)
      numbers_[of_id[rank]] = static_cast<int>(rank);
  }
  return {};
}

// Whether all of its ranks are in the logs, and in the world.
bool NcclGroups::is_whole(const Parts& parts) const {
  return static_cast<std::size_t>(parts.ranks) == parts.places.size() &&
         std::ranges::all_of(parts.places, [&](const auto& part) { return ranks_of_.contains(part.second); });
}

Errors NcclGroups::find_world() {
  std::set<int> sizes;
  std::optional<std::string> cut;
  for (const auto& id : order_) {
    const auto& [size, places] = parts_[id];
    sizes.insert(size);
    if (size != ranks_)
      continue;
    if (places.size() != static_cast<std::size_t>(ranks_)) {
      cut = id;
      continue;
    }
    for (const auto& [rank, place] : places)
      ranks_of_.emplace(place, rank);
    if (ranks_of_.size() != places.size())
      return {file_error(ErrorKind::input, file_, "two ranks of a communicator on one device of a process")};
    groups.push_back({"world", {}});
    for (int rank = 0; rank < ranks_; ++rank)
      groups.front().members.push_back(rank);
    return {};
  }
  if (cut)
    return missing(*cut);
  if (sizes.empty())
    return {file_error(ErrorKind::input, file_,
                       "no line of NCCL with \"Init COMPLETE\"; NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,COLL writes "
                       "them")};
  return {file_error(ErrorKind::input, file_,
                     mismatch(fmt::format("communicators of {} ranks", fmt::join(sizes, ", ")),
                              fmt::format("one of all {}, as in the scenario", ranks_)))};
}

Errors NcclGroups::missing(const std::string& id) {
  std::vector<int> absent;
  const auto& [size, places] = parts_[id];
  for (int rank = 0; rank < size && absent.size() < 20; ++rank)
    if (const auto found = places.find(rank);
        found == places.end() || (!ranks_of_.empty() && !ranks_of_.contains(found->second)))
      absent.push_back(rank);
  return {file_error(ErrorKind::input, file_,
                     fmt::format("communicator {} has {}, but the logs lack {} {} of it", id,
                                 counted(static_cast<std::size_t>(size), "rank"), absent.size() == 1 ? "rank" : "ranks",
                                 fmt::join(absent, ", ")))};
}

} // namespace kakehashi
