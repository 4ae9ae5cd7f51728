#include "input/import/infragraph_parts.hpp"

#include "base/number.hpp"
#include "base/text.hpp"
#include "input/import/assembly.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <sstream>

namespace kakehashi {
namespace {

using std::string_view;

bool has(string_view text, string_view word) {
  return text.find(word) != string_view::npos;
}

// "nvlink_4", "nvlink 4.0" → 4; 0: there is no digit after the word.
int digit_after(string_view text, string_view word) {
  const auto at = text.find(word);
  const auto after = at == string_view::npos ? "" : text.substr(at + word.size(), 2);
  const auto digit = after.find_first_of("123456");
  return digit == string_view::npos ? 0 : after[digit] - '0';
}

// The rate of all NVLinks or xGMI links of a GPU in each direction, from data sheets: NVLink 1 (P100) to 6, A100 if no
// generation is named, MI300X, and NVLink-C2C.
double gigabytes_of_gpu(string_view words) {
  constexpr double by_generation[] = {300, 80, 150, 300, 450, 900, 1800};
  return has(words, "c2c")                              ? 450
         : has(words, "xgmi") || has(words, "infinity") ? 448
                                                        : by_generation[digit_after(words, "nvlink")];
}

// The rate of 16 lanes of PCIe; of the fourth generation if none is named.
double gigabytes_of_pcie(string_view words) {
  constexpr double by_generation[] = {28.8, 3.6, 7.2, 14.4, 28.8, 57.6, 115};
  return by_generation[digit_after(words, "gen")];
}

} // namespace

std::optional<double> infragraph_number(const YAML::Node& node, const std::string& key) {
  const auto value = node.IsMap() ? node[key] : YAML::Node(YAML::NodeType::Undefined);
  double number = 0;
  if (!value || !YAML::convert<double>::decode(value, number) || !(number > 0) || number > 1e12)
    return std::nullopt;
  return number;
}

std::string infragraph_words(const YAML::Node& body, const std::string& name) {
  auto text = name;
  if (body && body.IsMap() && body["description"] && body["description"].IsScalar())
    text += " " + body["description"].Scalar();
  return in_lower_case(text);
}

bool is_infragraph_nvlink(string_view words) {
  return has(words, "nvl") || has(words, "nvsw") || has(words, "xgmi") || has(words, "c2c");
}

string_view infragraph_type(string_view words, InfragraphEnd first, InfragraphEnd second) {
  const auto joins = [&](InfragraphEnd a, InfragraphEnd b) {
    return (first == a && second == b) || (first == b && second == a);
  };
  // PCIe joins GPUs only with sockets and its own switches.
  if (is_infragraph_nvlink(words) || joins(InfragraphEnd::gpu, InfragraphEnd::nvswitch) ||
      (joins(InfragraphEnd::gpu, InfragraphEnd::gpu) && !has(words, "pci")))
    return "nvlink";
  if (joins(InfragraphEnd::socket, InfragraphEnd::socket))
    return has(words, "qpi") ? "qpi" : "upi";
  return "pcie";
}

string_view infragraph_type(string_view words) {
  const auto name = words.substr(0, words.find(' '));
  return is_infragraph_nvlink(words)                  ? "nvlink"
         : has(name, "ib") || has(name, "infiniband") ? "infiniband"
                                                      : "ethernet";
}

Cable infragraph_cable(const YAML::Node& link, const std::string& name, string_view type) {
  const auto physical = link && link.IsMap() ? link["physical"] : YAML::Node(YAML::NodeType::Undefined);
  const auto body = physical && physical.IsMap() ? physical : link;
  const auto of = [&](const char* what, const std::string& unit) -> std::optional<double> {
    return body && body.IsMap() && body[what] && body[what].IsMap() ? infragraph_number(body[what], unit)
                                                                    : std::nullopt;
  };
  std::optional<double> rate;
  if (const auto gigabits = of("bandwidth", "gigabits_per_second"))
    rate = *gigabits * 1e9 / 8;
  if (const auto gigabytes = of("bandwidth", "gigabytes_per_second"))
    rate = *gigabytes * 1e9;
  auto source = stated("InfraGraph: link " + shortened(name, 60));
  if (const auto transfers = of("bandwidth", "gigatransfers_per_second")) {
    rate = *transfers * 2e9;
    source = assumed(fmt::format("16 lanes of {} GT/s: InfraGraph does not state how many", *transfers));
  }
  const auto words = infragraph_words(link, name);
  double of_gpu = 0;
  if (!rate && type == "nvlink") {
    of_gpu = gigabytes_of_gpu(words);
    source = assumed(fmt::format("{} GB/s for all such links of a GPU: InfraGraph states no bandwidth of the link {}",
                                 of_gpu, shortened(name, 60)));
  } else if (!rate) {
    rate = type == "pcie" ? gigabytes_of_pcie(words) * 1e9 : type == "upi" || type == "qpi" ? 20.8e9 : 12e9;
    source = assumed("InfraGraph states no bandwidth of the link " + shortened(name, 60));
  }
  auto cable = stated_cable(type, {rate.value_or(0)}, source);
  if (of_gpu > 0)
    cable.rating.line_rate = gigabytes_per_second(of_gpu);
  for (const auto& [unit, scale] : {std::pair("ms", 1e-3), std::pair("us", 1e-6), std::pair("ns", 1e-9)})
    if (const auto time = of("latency", unit)) {
      cable.latency = {*time * scale};
      cable.source = source;
    }
  return cable;
}

void share_nvlinks(Assembly& parts) {
  const auto is_open = [](const PlannedLink& link) { return link.cable.bandwidth && link.cable.bandwidth->value == 0; };
  // The number of a device's links, by what is assumed of them.
  std::map<std::pair<std::string, std::string>, std::size_t> links;
  for (const auto& link : parts.links)
    if (is_open(link))
      for (const auto& end : {link.from, link.to})
        ++links[{end, link.cable.source.from}];
  const auto names = devices_of(parts, DeviceKind::network_switch);
  const std::set<std::string> switches(names.begin(), names.end());
  const auto peers = [&](const PlannedLink& link, const std::string& end) {
    return switches.contains(end) ? 1 : links.at({end, link.cable.source.from});
  };
  for (auto& link : parts.links)
    if (is_open(link))
      link.cable.bandwidth =
          BytesPerSecond{link.cable.rating.line_rate->value /
                         static_cast<double>(std::max(peers(link, link.from), peers(link, link.to)))};
}

namespace {

// Adds the parts to which a way leads from one of them, but none beyond a GPU.
void reach_from(const std::string& start, const Assembly& parts, std::set<std::string>& reached) {
  const auto gpus = devices_of(parts, DeviceKind::gpu);
  std::vector<std::string> open{start};
  reached.insert(start);
  while (!open.empty()) {
    const auto at = open.back();
    open.pop_back();
    if (at != start && std::ranges::find(gpus, at) != gpus.end())
      continue;
    for (const auto& link : parts.links)
      if (const auto& next = link.from == at ? link.to : link.from; link.from == at || link.to == at)
        if (reached.insert(next).second)
          open.push_back(next);
  }
}

// Its place among the parts whose names differ from its name in the number alone, as a share of 1.
double place_among_equals(const std::string& name, const Assembly& parts) {
  const auto word_of = [](const std::string& text) { return text.substr(0, text.find_last_not_of("0123456789") + 1); };
  std::size_t before = 0, all = 0;
  for (const auto& device : parts.devices)
    if (word_of(device.name) == word_of(name)) {
      before += device.name == name ? all : 0;
      ++all;
    }
  return static_cast<double>(before) / static_cast<double>(all);
}

} // namespace

std::vector<std::string> join_lone_parts(Assembly& parts) {
  std::vector<std::string> joined;
  const auto sockets = devices_of(parts, DeviceKind::cpu);
  std::set<std::string> reached;
  for (const auto& socket : sockets)
    reach_from(socket, parts, reached);
  if (sockets.empty() || reached.size() == sockets.size())
    return joined;
  const auto is_pcie = [](const PlannedLink& link) { return link.cable.type == link_type("pcie"); };
  for (const bool is_switch : {true, false}) // a slot with what is in it, before a card without a slot
    for (const auto& device : parts.devices) {
      const bool is_slot = std::ranges::any_of(parts.links, [&](const PlannedLink& link) {
        return is_pcie(link) && (link.from == device.name || link.to == device.name);
      });
      if (reached.contains(device.name) || (device.kind == DeviceKind::network_switch) != is_switch ||
          (is_switch && !is_slot))
        continue;
      const auto usual = std::ranges::find_if(parts.links, is_pcie);
      auto cable = usual == parts.links.end() ? pcie_cable(4, 16, {}) : usual->cable;
      cable.source = assumed("InfraGraph has no way from a socket to this part");
      const auto socket =
          static_cast<std::size_t>(place_among_equals(device.name, parts) * static_cast<double>(sockets.size()));
      parts.links.push_back({sockets[socket], device.name, cable});
      joined.push_back(fmt::format("{} to {}", device.name, sockets[socket]));
      reach_from(device.name, parts, reached);
    }
  return joined;
}

std::optional<std::vector<std::size_t>> expand_index(const std::string& element, std::size_t count) {
  std::size_t bounds[3] = {0, count, 1}; // start, stop, step
  if (const auto open = element.find('['); open != std::string::npos) {
    if (element.back() != ']')
      return std::nullopt;
    std::istringstream inside(element.substr(open + 1, element.size() - open - 2));
    int given = 0;
    for (std::string part; std::getline(inside, part, ':'); ++given) {
      if (given > 2)
        return std::nullopt;
      if (part.empty())
        continue;
      const auto bound = number_in<std::size_t>(part);
      if (!bound)
        return std::nullopt;
      bounds[given] = *bound;
    }
    if (element.find(':') == std::string::npos)
      bounds[1] = bounds[0] + 1;
  }
  if (bounds[1] > count || bounds[2] == 0 || bounds[0] >= bounds[1])
    return std::nullopt;
  std::vector<std::size_t> numbers;
  for (auto i = bounds[0]; i < bounds[1]; i += bounds[2])
    numbers.push_back(i);
  return numbers;
}

std::optional<std::vector<std::string>> expand_path(const std::map<std::string, InfragraphDevice>& devices,
                                                    std::string device, const std::string& text) {
  std::vector<std::string> paths{""};
  std::istringstream elements(text);
  for (std::string element; std::getline(elements, element, '.');) {
    const auto name = element.substr(0, element.find('['));
    const auto found = devices.find(device);
    if (found == devices.end() || !found->second.components.contains(name))
      return std::nullopt;
    const auto numbers = expand_index(element, found->second.components.at(name).count);
    if (!numbers || paths.size() * numbers->size() > most_infragraph_parts)
      return std::nullopt;
    std::vector<std::string> longer;
    for (const auto& path : paths)
      for (const auto number : *numbers)
        longer.push_back(path + (path.empty() ? "" : ".") + name + "." + std::to_string(number));
    paths = std::move(longer);
    device = name;
  }
  return paths;
}

std::optional<std::vector<std::pair<std::string, std::string>>>
pairs_by_scheme(const std::string& scheme, const std::vector<std::string>& from, const std::vector<std::string>& to) {
  std::vector<std::pair<std::string, std::string>> pairs;
  if (scheme == "one2one") {
    for (std::size_t i = 0; i < std::min(from.size(), to.size()); ++i)
      pairs.emplace_back(from[i], to[i]);
  } else if (scheme == "many2many" && from.size() * to.size() <= most_infragraph_parts) {
    for (std::size_t i = 0; i < from.size(); ++i)
      for (std::size_t j = from == to ? i + 1 : 0; j < to.size(); ++j) // lists each pair of equal sets once
        pairs.emplace_back(from[i], to[j]);
  } else if (scheme == "ring") {
    for (std::size_t i = 0; i < from.size(); ++i)
      if (from.size() > 2 || i == 0)
        pairs.emplace_back(from[i], from[(i + 1) % from.size()]);
  } else {
    return std::nullopt;
  }
  return pairs;
}

} // namespace kakehashi
