#include "input/import/infragraph_endpoint.hpp"

#include "base/number.hpp"

#include <algorithm>
#include <sstream>

namespace kakehashi {

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
