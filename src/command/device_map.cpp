#include "command/comparing.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace kakehashi {
namespace {

Error map_fault(std::string message, std::string suggestion = "") {
  return usage_error(std::move(message), std::move(suggestion));
}

bool is_same_file(const std::string& a, const std::string& b) {
  return std::filesystem::path(a).lexically_normal() == std::filesystem::path(b).lexically_normal();
}

// Returns the name that replaces `name`, if the entry matches it.
std::optional<std::string> image(const Renaming& entry, std::string_view name) {
  const auto star = entry.here.find('*');
  if (star == std::string::npos)
    return entry.here == name ? std::optional(entry.there) : std::nullopt;
  const auto before = std::string_view(entry.here).substr(0, star);
  const auto after = std::string_view(entry.here).substr(star + 1);
  if (name.size() < before.size() + after.size() || !name.starts_with(before) || !name.ends_with(after))
    return std::nullopt;
  const auto text = name.substr(before.size(), name.size() - before.size() - after.size());
  auto there = entry.there;
  if (const auto at = there.find('*'); at != std::string::npos)
    there.replace(at, 1, text);
  return there;
}

bool is_for(const Renaming& entry, const std::string& platform) {
  return entry.platform.empty() || is_same_file(entry.platform, platform);
}

} // namespace

Result<std::vector<Renaming>> read_device_map(const std::vector<std::string>& texts) {
  std::vector<Renaming> map;
  Errors errors;
  for (const auto& text : texts) {
    const auto equals = text.rfind('=');
    const auto colon = equals == std::string::npos ? equals : text.rfind(':', equals);
    const auto begin = colon == std::string::npos ? 0 : colon + 1;
    Renaming entry{text, colon == std::string::npos ? "" : text.substr(0, colon), "", ""};
    if (equals != std::string::npos) {
      entry.here = text.substr(begin, equals - begin);
      entry.there = text.substr(equals + 1);
    }
    const auto stars = [](const std::string& name) { return std::ranges::count(name, '*'); };
    if (entry.here.empty() || entry.there.empty() || colon == 0)
      errors.push_back(
          map_fault("--map: " + mismatch(in_quotes(text), "DEVICE=DEVICE or PLATFORM:DEVICE=DEVICE, such as "
                                                          "other.json:node0.mic2=node0.mic0")));
    else if (stars(entry.here) > 1 || stars(entry.there) > stars(entry.here))
      errors.push_back(
          map_fault("--map: " + mismatch(in_quotes(text), "one * in both names, or in the first one, or none")));
    map.push_back(std::move(entry));
  }
  if (!errors.empty())
    return errors;
  return map;
}

Errors check_device_map(const std::vector<Renaming>& map, const std::vector<std::string>& devices,
                        const std::vector<std::string>& platforms) {
  Errors errors;
  for (const auto& entry : map) {
    if (std::ranges::none_of(devices, [&](const std::string& name) { return image(entry, name).has_value(); }))
      errors.push_back(map_fault("--map: " + mismatch(fmt::format("{}, where no rank of the scenario is on {}",
                                                                  in_quotes(entry.text), in_quotes(entry.here)),
                                                      "a device of its ranks"),
                                 closest(entry.here, devices)));
    if (std::ranges::none_of(platforms, [&](const std::string& file) { return is_for(entry, file); }))
      errors.push_back(map_fault(
          "--map: " + mismatch(in_quotes(entry.text),
                               platforms.empty()
                                   ? "another platform to compare with, in --fabrics or --platforms"
                                   : fmt::format("one of the other platforms: {}", fmt::join(platforms, ", ")))));
  }
  return errors;
}

Result<std::vector<std::string>> renamed(const std::vector<std::string>& devices, const Platform& platform,
                                         const std::vector<Renaming>& map) {
  std::vector<std::string> there;
  for (const auto& device : platform.devices)
    if (can_run_ranks(device.kind))
      there.push_back(device.name);
  const std::set<std::string_view> known(there.begin(), there.end());
  std::vector<std::string> names;
  std::set<std::string_view> missing;
  Errors errors;
  for (const auto& device : devices) {
    auto name = device;
    for (const auto& entry : map)
      if (const auto other = is_for(entry, platform.file) ? image(entry, device) : std::nullopt) {
        name = *other;
        break;
      }
    if (!known.contains(name) && missing.insert(device).second)
      errors.push_back(map_fault(
          name == device ? fmt::format("{} has no device {} for ranks; --map {}=DEVICE names the one that takes "
                                       "its place",
                                       platform.file, in_quotes(device), device)
                         : "--map: " + mismatch(in_quotes(name), "a cpu, coprocessor, gpu or dpu of " + platform.file),
          closest(name, there)));
    names.push_back(std::move(name));
  }
  if (!errors.empty())
    return errors;
  return names;
}

} // namespace kakehashi
