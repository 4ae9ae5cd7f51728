// The devices of a scenario's ranks: a list of devices, or patterns of devices and the number of ranks on each.
#include "input/scenario/scenario_parts.hpp"

#include "input/platform/part_readers.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace kakehashi {
namespace {

using nlohmann::json;

constexpr std::size_t most_ranks = 100000;

std::vector<std::string> names_for_ranks(const Platform& platform) {
  std::vector<std::string> names;
  for (const auto& device : platform.devices)
    if (can_run_ranks(device.kind))
      names.push_back(device.name);
  return names;
}

// Whether the name matches a pattern with at least one *, which stands for any text. The text after a star is matched
// where it first occurs, since a later place would leave less for the rest. So the time is at most the product of the
// lengths.
bool matches(std::string_view pattern, std::string_view name) {
  const auto first = pattern.find('*');
  if (!name.starts_with(pattern.substr(0, first)))
    return false;
  name.remove_prefix(first);
  pattern.remove_prefix(first + 1);
  for (auto star = pattern.find('*'); star != std::string_view::npos; star = pattern.find('*')) {
    const auto found = name.find(pattern.substr(0, star));
    if (found == std::string_view::npos)
      return false;
    name.remove_prefix(found + star);
    pattern.remove_prefix(star + 1);
  }
  return name.ends_with(pattern);
}

std::optional<std::size_t> find_for_rank(const std::string& name, const std::string& place, const Platform& platform,
                                         Faults& faults) {
  const auto device = find_device(platform, name);
  if (!device)
    faults.add(place, mismatch(in_quotes(name), devices_of(platform)), closest(name, names_for_ranks(platform)));
  else if (!can_run_ranks(platform.devices[*device].kind))
    faults.add(place, mismatch(fmt::format("{} of kind {}", in_quotes(name),
                                           name_of(device_kind_names, platform.devices[*device].kind)),
                               "a cpu, coprocessor, gpu or dpu"));
  return device;
}

} // namespace

std::string devices_of(const Platform& platform) {
  constexpr std::size_t most_told = 8;
  auto names = names_for_ranks(platform);
  const auto others = names.size() - std::min(names.size(), most_told);
  names.resize(names.size() - others);
  return fmt::format("a device of {}: {}{}", platform.file, fmt::join(names, ", "),
                     others > 0 ? fmt::format(" and {} more", others) : "");
}

namespace {

bool has_star(std::string_view pattern) {
  return pattern.find('*') != std::string_view::npos;
}

// Returns the devices for which a name without ranges stands; it may have stars.
std::vector<std::size_t> devices_called(const std::string& name, const std::string& place, const Platform& platform,
                                        Faults& faults) {
  std::vector<std::size_t> devices;
  if (!has_star(name)) {
    const auto device = find_for_rank(name, place, platform, faults);
    if (device && can_run_ranks(platform.devices[*device].kind))
      devices.push_back(*device);
    return devices;
  }
  for (std::size_t device = 0; device < platform.devices.size(); ++device)
    if (can_run_ranks(platform.devices[device].kind) && matches(name, platform.devices[device].name))
      devices.push_back(device);
  if (devices.empty())
    faults.add(
        place,
        mismatch(fmt::format("{}, which matches nothing that ranks can run on", in_quotes(name)), devices_of(platform)),
        closest(name, names_for_ranks(platform)));
  return devices;
}

} // namespace

std::vector<std::size_t> matched_devices(const json& patterns, const std::string& place, const Platform& platform,
                                         Faults& faults) {
  constexpr std::size_t most_looks = 1'000'000'000; // comparisons of a pattern with a device's name
  std::vector<std::size_t> devices;
  std::vector<bool> is_taken(platform.devices.size());
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    const auto at = pointer_to(place, i);
    const auto pattern = patterns[i].get<std::string>();
    const auto names = names_in(pattern, at, faults);
    if (names && names->size() > most_looks / platform.devices.size()) {
      faults.add(at, mismatch("more names", fmt::format("at most {}", most_looks / platform.devices.size())));
      continue;
    }
    const auto first = devices.size();
    for (const auto& name : names.value_or(std::vector<std::string>())) {
      const auto called = devices_called(name, at, platform, faults);
      for (const auto device : called) {
        if (is_taken[device]) {
          faults.add(at, mismatch(fmt::format("{}, which matches {} a second time", in_quotes(pattern),
                                              in_quotes(platform.devices[device].name)),
                                  "each device once"));
          return {};
        }
        is_taken[device] = true;
        devices.push_back(device);
      }
      if (called.empty())
        break; // the rest of a range most likely has the same fault
    }
    if (platform.torus) // a box has the order of the whole network, x first, whatever the order of the ranges
      std::sort(devices.begin() + static_cast<std::ptrdiff_t>(first), devices.end());
  }
  return devices;
}

namespace {

CoreOrder core_order_called(std::string_view order) {
  return order == "cyclic-over-numa"     ? CoreOrder::over_numa
         : order == "cyclic-over-caches" ? CoreOrder::over_caches
                                         : CoreOrder::block;
}

// A device, and the number of ranks for which it has room.
struct Room {
  std::size_t device;
  std::size_t free;
};
// Rooms that are filled in order. Ranks fill one group after the other; inside a group they take the lanes in turn.
using Lane = std::vector<Room>;
using Group = std::vector<Lane>;

// The place of a node, or of a device outside nodes.
std::size_t place_of(std::size_t device, const Platform& platform) {
  const auto& node = platform.devices[device].node;
  return node ? *node : platform.devices.size() + device;
}

std::vector<Group> groups_of(const std::vector<Room>& rooms, std::string_view order, const Platform& platform) {
  std::vector<Group> groups;
  std::map<std::size_t, std::size_t> group_of, lane_of; // keys are places
  for (const auto& room : rooms) {
    const auto place = place_of(room.device, platform);
    const bool is_in_node = order == "cyclic-in-node" || core_order_called(order) != CoreOrder::block;
    const auto shared = is_in_node ? place : order == "block" ? room.device : 0;
    const auto group = group_of.try_emplace(shared, groups.size()).first->second;
    if (group == groups.size())
      groups.emplace_back();
    auto& lanes = groups[group];
    const auto lane =
        order == "cyclic-over-nodes" ? lane_of.try_emplace(place, lanes.size()).first->second : lanes.size();
    if (lane == lanes.size())
      lanes.emplace_back();
    lanes[lane].push_back(room);
  }
  return groups;
}

// Divides the rooms of devices into those of the domains that ranks go round.
std::vector<Room> divided(const std::vector<Room>& rooms, CoreOrder order, const Platform& platform) {
  std::vector<Room> parts;
  for (const auto& room : rooms) {
    const auto number = domains_in_turn(platform.devices[room.device], order);
    for (std::size_t part = 0; part < number; ++part)
      parts.push_back({room.device, (room.free + number - 1 - part) / number});
  }
  return parts;
}

// Without "per_device" and "per_node" each device has room for as many ranks as "count" needs, or for one. Errors: a
// device does not state its number of cores, and it is needed.
std::vector<Room> rooms_of(const json& ranks, const std::vector<std::size_t>& devices, const Platform& platform,
                           Faults& faults) {
  const auto count = ranks.contains("per_node") ? 0 : ranks.value("count", std::size_t{0});
  const auto each = ranks.value("per_device", std::max<std::size_t>(1, (count + devices.size() - 1) / devices.size()));
  std::vector<Room> rooms;
  for (const auto device : devices) {
    const auto& own = platform.devices[device];
    if (each == 0 && own.cores <= 0) {
      faults.add("/ranks/per_device",
                 mismatch("0", fmt::format("a number, since {} does not state its cores", own.name)));
      return {};
    }
    rooms.push_back({device, each == 0 ? static_cast<std::size_t>(own.cores) : each});
  }
  return rooms;
}

struct Fit {
  std::size_t all = 0;
  std::size_t on_a_node = 0; // on the node with most room
};

// Returns the number of ranks that fit.
Fit room_in(const std::vector<Room>& rooms, std::size_t per_node, const Platform& platform) {
  std::map<std::size_t, std::size_t> in_nodes;
  for (const auto& room : rooms)
    in_nodes[place_of(room.device, platform)] += room.free;
  Fit fit;
  for (const auto& [place, room] : in_nodes) {
    fit.all += std::min(room, per_node);
    fit.on_a_node = std::max(fit.on_a_node, room);
  }
  return fit;
}

// Fills the lanes in turn with at most `most` ranks in all and `per_node` on each node.
void fill(Group& lanes, std::size_t most, std::size_t per_node, const Platform& platform,
          std::map<std::size_t, std::size_t>& in_nodes, std::vector<std::size_t>& placed) {
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    for (auto& lane : lanes) {
      const auto room = std::ranges::find_if(lane, [](const Room& each) { return each.free > 0; });
      if (room == lane.end() || placed.size() == most)
        continue;
      auto& in_node = in_nodes[place_of(room->device, platform)];
      if (in_node == per_node)
        continue;
      --room->free;
      ++in_node;
      placed.push_back(room->device);
      goes_on = true;
    }
  }
}

std::vector<std::size_t> spread(const json& ranks, const std::vector<std::size_t>& devices, const Platform& platform,
                                Faults& faults) {
  const auto rooms = rooms_of(ranks, devices, platform, faults);
  const auto per_node = ranks.value("per_node", most_ranks);
  const auto [fit, fit_on_a_node] = room_in(rooms, per_node, platform);
  if (ranks.contains("per_node") && per_node > fit_on_a_node && !rooms.empty())
    faults.add("/ranks/per_node",
               mismatch(fmt::format("{}", per_node),
                        fmt::format("at most {}, which fit on the devices of a node; \"per_device\" states how many "
                                    "one has room for",
                                    fit_on_a_node)));
  const auto count = ranks.value("count", fit);
  if (count > fit && !rooms.empty())
    faults.add("/ranks/count",
               mismatch(fmt::format("{}", count),
                        fmt::format("at most {}, which fit on {}{}", fit, counted(devices.size(), "device"),
                                    ranks.contains("per_node") || ranks.value("per_device", 1) == 0
                                        ? ""
                                        : fmt::format(" with {} each", rooms.front().free))));
  else if (count > most_ranks)
    faults.add("/ranks", mismatch(counted(count, "rank"), fmt::format("at most {}", most_ranks)));
  const auto most = std::min({count, fit, most_ranks});
  std::vector<std::size_t> placed;
  std::map<std::size_t, std::size_t> in_nodes;
  const auto order = ranks.value("order", "block");
  for (auto& group : groups_of(divided(rooms, core_order_called(order), platform), order, platform))
    fill(group, most, per_node, platform, in_nodes, placed);
  return placed;
}

} // namespace

CoreOrder core_order_of(const json& ranks) {
  return ranks.is_object() ? core_order_called(ranks.value("order", "block")) : CoreOrder::block;
}

std::vector<std::size_t> read_ranks(const json& ranks, const Platform& platform, Faults& faults) {
  if (ranks.is_object()) {
    const auto devices = matched_devices(ranks["on"], "/ranks/on", platform, faults);
    return devices.empty() ? std::vector<std::size_t>{} : spread(ranks, devices, platform, faults);
  }
  std::vector<std::size_t> devices;
  for (std::size_t i = 0; i < ranks.size(); ++i)
    devices.push_back(
        find_for_rank(ranks[i].get<std::string>(), pointer_to("/ranks", i), platform, faults).value_or(0));
  return devices;
}

} // namespace kakehashi
