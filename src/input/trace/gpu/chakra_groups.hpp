// Process groups of PyTorch, which metadata nodes of traces or a file state → the ranks of each group.
#pragma once

#include "base/error.hpp"
#include "base/stream.hpp"

#include <optional>
#include <unordered_map>

namespace kakehashi {

class ChakraGroups {
public:
  explicit ChakraGroups(int ranks);

  // Reads {"1": [0, 1], …}.
  Errors add_file(const std::string& file);
  // Reads the inputs of a metadata node, which may contain a list [{"pg_name": "1", "ranks": [0, 1]}, …]. A group
  // without ranks has all ranks. Other inputs are ignored.
  void add_inputs(const std::string& text);

  // Returns the group's place in the list; without a name, that of all ranks. Nothing: the group is unknown.
  std::optional<std::size_t> find(const std::string& name) const;
  // Whether nothing states groups, and this is the name that PyTorch gives to the group of all ranks.
  bool is_default(const std::string& name) const;
  // A group that has different ranks in different places, if there is one.
  const std::optional<std::string>& contradiction() const { return contradiction_; }
  const std::vector<RankGroup>& list() const { return groups_; } // the group of all ranks comes first

private:
  void add(const std::string& name, std::vector<int> members);

  int ranks_;
  std::vector<RankGroup> groups_;
  std::unordered_map<std::string, std::size_t> places_;
  std::optional<std::string> contradiction_;
};

} // namespace kakehashi
