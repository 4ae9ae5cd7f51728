// Where the ranks of a scenario are: a list of devices, or devices by pattern and how many ranks are on each.
#include "input/scenario/placement_reader.hpp"

#include "input/platform/name_range.hpp"

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

// Whether the name is of the pattern's form, in which * stands for any text; it has one. What follows a star is taken
// where it first occurs, since a later place would leave less for the rest; so the time is at most the product of the
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
                               "a cpu, coprocessor or gpu"));
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

// The devices that one name without ranges stands for, which may have stars.
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
    faults.add(place, mismatch(fmt::format("{}, which matches nothing that ranks can run on", in_quotes(name)),
                               devices_of(platform)));
  return devices;
}

} // namespace

std::vector<std::size_t> matched_devices(const json& patterns, const std::string& place, const Platform& platform,
                                         Faults& faults) {
  constexpr std::size_t most_looks = 1'000'000'000; // at a device
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
        break; // the others of a range most likely have the same fault
    }
  }
  return devices;
}

namespace {

// The devices in groups, which ranks fill one after the other; inside a group they take the devices by turns.
std::vector<std::vector<std::size_t>> groups_of(const std::vector<std::size_t>& devices, std::string_view order,
                                                const Platform& platform) {
  if (order == "cyclic")
    return {devices};
  std::vector<std::vector<std::size_t>> groups;
  std::map<std::size_t, std::size_t> group_of_node;
  for (const auto device : devices) {
    const auto node = platform.devices[device].node;
    const bool joins = node && order == "cyclic-in-node";
    const auto group = joins ? group_of_node.try_emplace(*node, groups.size()).first->second : groups.size();
    if (group == groups.size())
      groups.emplace_back();
    groups[group].push_back(device);
  }
  return groups;
}

std::vector<std::size_t> spread(const json& ranks, const std::vector<std::size_t>& devices, const Platform& platform,
                                Faults& faults) {
  const auto each = ranks.value("per_device", std::size_t{1});
  const auto fit = devices.size() * each;
  const auto count = ranks.value("count", fit);
  if (count > fit)
    faults.add("/ranks/count",
               mismatch(fmt::format("{}", count), fmt::format("at most {}, which fit on {} with {} each", fit,
                                                              counted(devices.size(), "device"), each)));
  else if (count > most_ranks)
    faults.add("/ranks", mismatch(counted(count, "rank"), fmt::format("at most {}", most_ranks)));
  const auto most = std::min({count, fit, most_ranks});
  std::vector<std::size_t> placed;
  for (const auto& group : groups_of(devices, ranks.value("order", "block"), platform))
    for (std::size_t i = 0; i < group.size() * each && placed.size() < most; ++i)
      placed.push_back(group[i % group.size()]);
  return placed;
}

} // namespace

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
