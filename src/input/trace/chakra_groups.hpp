// Process groups of PyTorch, as metadata nodes of traces or a file state them → the ranks of each.
#pragma once

#include "base/error.hpp"
#include "base/stream.hpp"

#include <optional>
#include <unordered_map>

namespace kakehashi {

class ChakraGroups {
public:
  explicit ChakraGroups(int ranks);

  // {"1": [0, 1], …}
  Errors add_file(const std::string& file);
  // The inputs of a metadata node, in which there may be a list [{"pg_name": "1", "ranks": [0, 1]}, …]. Without ranks
  // a group is all. Anything else means nothing.
  void add_inputs(const std::string& text);

  // Its place in the list; no name: all ranks. Nothing: no such group is known.
  std::optional<std::size_t> find(const std::string& name) const;
  // A group that has different ranks in different places.
  const std::optional<std::string>& contradiction() const { return contradiction_; }
  const std::vector<RankGroup>& list() const { return groups_; } // all ranks are the first

private:
  void add(const std::string& name, std::vector<int> members);

  int ranks_;
  std::vector<RankGroup> groups_;
  std::unordered_map<std::string, std::size_t> places_;
  std::optional<std::string> contradiction_;
};

} // namespace kakehashi
