// The collective calls of each rank → whether all ranks make the same calls in the same order.
#pragma once

#include "base/error.hpp"
#include "model/trace_event.hpp"
#include "result/call_profile.hpp"

#include <deque>

namespace kakehashi {

// The ranks of one communicator share it. It keeps a call only until the last rank has made it.
class CallOrder {
public:
  // `communicator` is its name, unless it is the world.
  explicit CallOrder(int ranks, std::string communicator = "")
      : made_(static_cast<std::size_t>(ranks)), communicator_(std::move(communicator)) {}

  // Notes the next call of a rank and its place in the file. `id` is the rank's number in the communicator, `rank` that
  // in the world. Error: another rank made a different call at this point.
  std::optional<Error> make(int id, int rank, const CollectiveEvent& event, const std::string& file,
                            const std::string& place);

  // For the end: the error of a call that some rank did not make. `members` are the communicator's ranks in the world.
  std::optional<Error> unfinished(const std::vector<int>& members) const;

private:
  std::string where() const; // " in row 1"; empty: the world

  struct Call {
    Collective collective;
    int root;
    std::uint64_t bytes; // which all ranks must agree on
    int rank;            // the first rank that made the call
    std::string file;
    std::string place;
    std::size_t ranks; // number of ranks that have made it
  };

  std::vector<std::uint64_t> made_; // number of calls by each rank
  std::string communicator_;
  std::uint64_t first_ = 0; // the number of the oldest call that is kept
  std::deque<Call> calls_;
};

// A recorded application → the profile of its calls, with the times that they took when they were recorded.
struct RecordedCalls {
  CallProfile profile;
  double instructions = 0; // in the work of all ranks, if instructions were counted
};
// Errors: a file has a fault.
Result<RecordedCalls> recorded_calls(const TraceSource& source, int ranks);

std::vector<std::string> communicator_names(const std::vector<RankGroup>& communicators); // the world's first

} // namespace kakehashi
