#include "input/scenario/scenario_parts.hpp"

#include "base/text.hpp"
#include "input/trace/ti/ti_words.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace kakehashi {
namespace {

using nlohmann::json;

// A key is the number of a data type, the tag of messages, or a word; "any" is for all others.
bool is_type_key(const std::string& key) {
  const auto digits = std::string_view(key).substr(key.starts_with("tag ") ? 4 : 0);
  const bool is_number = !digits.empty() && std::ranges::all_of(digits, is_digit);
  return is_number || find_word(key);
}

DerivedTypes read_derived_types(const json& value, const std::string& place, Faults& faults) {
  if (value.is_string())
    return {read_quantity(value, place, bytes_text, faults), {}};
  DerivedTypes types;
  for (const auto& [key, size] : value.items()) {
    const auto bytes = read_quantity(size, pointer_to(place, key), bytes_text, faults);
    if (key == "any")
      types.any = bytes;
    else if (!is_type_key(key))
      faults.add(pointer_to(place, key),
                 mismatch(in_quotes(key), "any, the number of a data type, a tag such as \"tag 7\", "
                                          "or a word of the traces such as \"bcast\""));
    else
      types.some[key] = bytes.value_or(Bytes{});
  }
  return types;
}

// Returns groups of adjacent ranks, or of ranks with the same remainder.
std::vector<std::vector<int>> regular_groups(int ranks, int count, bool is_blocks) {
  std::vector<std::vector<int>> groups(static_cast<std::size_t>(is_blocks ? (ranks + count - 1) / count : count));
  for (int rank = 0; rank < ranks; ++rank)
    groups[static_cast<std::size_t>(is_blocks ? rank / count : rank % count)].push_back(rank);
  std::erase_if(groups, [](const auto& group) { return group.empty(); });
  return groups;
}

std::vector<std::vector<int>> read_groups(const json& groups, const std::string& place, int ranks, Faults& faults) {
  std::vector<std::vector<int>> found;
  std::vector<bool> is_taken(static_cast<std::size_t>(ranks));
  for (std::size_t i = 0; i < groups.size(); ++i) {
    auto& members = found.emplace_back();
    for (std::size_t j = 0; j < groups[i].size(); ++j) {
      const auto rank = groups[i][j].get<int>();
      const auto at = fmt::format("{}/{}/{}", place, i, j);
      if (rank >= ranks)
        faults.add(at, mismatch(fmt::format("rank {}", rank), fmt::format("a rank from 0 to {}", ranks - 1)));
      else if (is_taken[static_cast<std::size_t>(rank)])
        faults.add(at, mismatch(fmt::format("rank {} twice", rank), "each rank only once"));
      else
        is_taken[static_cast<std::size_t>(rank)] = true;
      members.push_back(rank);
    }
  }
  return found;
}

CommunicatorCalls read_communicators(const json& object, const std::string& place, int ranks, Faults& faults) {
  CommunicatorCalls calls;
  calls.name = object["name"].get<std::string>();
  const bool has_blocks = object.contains("blocks_of");
  if (object.contains("groups") + has_blocks + object.contains("strided_by") != 1)
    faults.add(place, mismatch("none or several of groups, blocks_of and strided_by", "exactly one"));
  else if (object.contains("groups"))
    calls.groups = read_groups(object["groups"], place + "/groups", ranks, faults);
  else
    calls.groups = regular_groups(ranks, object[has_blocks ? "blocks_of" : "strided_by"].get<int>(), has_blocks);
  if (object.contains("calls"))
    calls.words = object["calls"].get<std::vector<std::string>>();
  for (std::size_t i = 0; i < calls.words.size(); ++i)
    if (const auto* word = find_word(calls.words[i]); !word || !word->is_collective())
      faults.add(fmt::format("{}/calls/{}", place, i),
                 mismatch(in_quotes(calls.words[i]), "the word of a collective call, such as \"alltoall\""));
  if (object.contains("at"))
    calls.at = object["at"].get<std::string>();
  if (object.contains("turn")) {
    calls.turn = object["turn"][0].get<std::uint64_t>();
    calls.of = object["turn"][1].get<std::uint64_t>();
    if (calls.turn > calls.of)
      faults.add(place + "/turn/0",
                 mismatch(fmt::format("turn {} of {}", calls.turn, calls.of), "at most the second number"));
  }
  return calls;
}

} // namespace

TiForm read_ti_form(const json& object, const std::string& place, int ranks, Faults& faults) {
  TiForm form{ranks};
  if (object.contains("derived_type"))
    form.derived_types = read_derived_types(object["derived_type"], place + "/derived_type", faults);
  if (object.contains("communicators"))
    for (std::size_t i = 0; i < object["communicators"].size(); ++i)
      form.communicators.push_back(
          read_communicators(object["communicators"][i], fmt::format("{}/communicators/{}", place, i), ranks, faults));
  return form;
}

} // namespace kakehashi
