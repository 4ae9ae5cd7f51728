#include "input/trace/gpu/chakra_node.hpp"

#include "input/json/json_document.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <numeric>

namespace kakehashi {
namespace {

// Returns nothing if it is no list of different ranks.
std::optional<std::vector<int>> members_of(const nlohmann::json& list, int ranks) {
  if (!list.is_array())
    return std::nullopt;
  std::vector<int> members;
  for (const auto& each : list) {
    if (!each.is_number_unsigned() || each.get<std::uint64_t>() >= static_cast<std::uint64_t>(ranks))
      return std::nullopt;
    members.push_back(each.get<int>());
  }
  auto sorted = members;
  std::ranges::sort(sorted);
  if (std::ranges::adjacent_find(sorted) != sorted.end())
    return std::nullopt;
  return members;
}

} // namespace

ChakraGroups::ChakraGroups(int ranks) : ranks_(ranks) {
  add("", {});
  groups_.front().name = "world";
}

void ChakraGroups::add(const std::string& stated_name, std::vector<int> members) {
  const auto name = group_name(stated_name);
  if (members.empty()) {
    members.resize(static_cast<std::size_t>(ranks_));
    std::iota(members.begin(), members.end(), 0);
  }
  const auto [known, is_new] = places_.emplace(name, groups_.size());
  if (is_new)
    groups_.push_back({name, std::move(members)});
  else if (groups_[known->second].members != members)
    contradiction_ =
        fmt::format("process group \"{}\" has other ranks here than in the trace or file read before", name);
}

Errors ChakraGroups::add_file(const std::string& file) {
  const auto document = read_json(file);
  if (!document)
    return document.errors();
  const auto& root = *document->root;
  if (!root.is_object())
    return {file_error(ErrorKind::input, file, "got no object, expected the ranks of each process group, by its name")};
  for (const auto& [name, list] : root.items()) {
    auto members = members_of(list, ranks_);
    if (!members || members->empty())
      return {input_error(file, pointer_to("", name),
                          mismatch(show(list), fmt::format("a list of different ranks from 0 to {}", ranks_ - 1)))};
    add(name, std::move(*members));
  }
  return {};
}

void ChakraGroups::add_inputs(const std::string& text) {
  const auto begin = text.find("[{");
  const auto end = text.rfind("}]");
  if (begin == std::string::npos || end == std::string::npos || end < begin)
    return;
  const auto document = parse_json(text.substr(begin, end + 2 - begin), "");
  if (!document)
    return;
  for (const auto& group : *document->root)
    if (group.is_object() && group.contains("pg_name") && group["pg_name"].is_string() && group.contains("ranks"))
      if (auto members = members_of(group["ranks"], ranks_))
        add(group["pg_name"].get<std::string>(), std::move(*members));
}

std::optional<std::size_t> ChakraGroups::find(const std::string& name) const {
  const auto found = places_.find(group_name(name));
  if (found != places_.end())
    return found->second;
  return is_default(name) ? std::optional(std::size_t{0}) : std::nullopt;
}

bool ChakraGroups::is_default(const std::string& name) const {
  return groups_.size() == 1 && group_name(name) == "0";
}

} // namespace kakehashi
