// The collective calls of each rank → whether all ranks make the same ones, in the same order.
#pragma once

#include "model/trace_event.hpp"

#include <deque>

namespace kakehashi {

// Shared by the ranks of one communicator. Keeps calls only until the last rank has made them.
class CallOrder {
public:
  // communicator: its name, where it is not the world.
  explicit CallOrder(int ranks, std::string communicator = "")
      : made_(static_cast<std::size_t>(ranks)), communicator_(std::move(communicator)) {}

  // The next call of a rank, which has a number in the communicator and one in the world, and where it is. Error:
  // another rank made another one in its place.
  std::optional<Error> make(int id, int rank, const CollectiveEvent& event, const std::string& file,
                            const std::string& place);

  // At the end. Error: a call that a rank did not make. members: ranks in the world.
  std::optional<Error> unfinished(const std::vector<int>& members) const;

private:
  std::string where() const; // " in row 1"; empty: the world

  struct Call {
    Collective collective;
    int root;
    std::uint64_t bytes; // that all ranks must agree on
    int rank;            // that came first
    std::string file;
    std::string place;
    std::size_t ranks; // that have come
  };

  std::vector<std::uint64_t> made_; // by each rank
  std::string communicator_;
  std::uint64_t first_ = 0; // number of the oldest call that is kept
  std::deque<Call> calls_;
};

} // namespace kakehashi
