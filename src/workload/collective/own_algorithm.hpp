// A user's own algorithm of a collective operation, from a file: which rank sends which blocks to whom in each step.
//
// A step is a round: each rank sends what it had at the beginning of the round, and has received everything at its end.
// So ranks that wait for each other, and messages that nobody receives, cannot be written.
#pragma once

#include "workload/collective/collective.hpp"
#include "workload/collective/expression.hpp"

#include <map>
#include <mutex>

namespace kakehashi {

// A message of each rank for which `holds`, or of the rank `from`.
struct OwnRule {
  std::string place; // JSON pointer
  std::optional<Expression> from;
  Expression holds;
  Expression to;
  Expression first; // number of its first block
  Expression count; // number of blocks
  Expression every; // the distance from one of its blocks to the next; beyond the last block it continues at the first
  bool adds = false;
};
struct OwnPhase {
  std::string place;
  Expression steps;
  std::vector<OwnRule> rules;
};

// A message as the ranks of a communicator run it.
struct OwnMessage {
  int step = 0;
  int from = 0;
  int to = 0;
  int first = 0;
  int count = 0;
  int every = 1;
  bool adds = false;
  bool is_added = false; // the receiver has some of these blocks, to which it adds them
};

// All steps, of all phases.
struct OwnSchedule {
  int blocks = 0;
  int size = 0;                                    // number of ranks
  std::vector<OwnMessage> messages;                // by step
  std::vector<std::vector<std::uint32_t>> of_rank; // the messages that each rank sends or receives, by step
  // For each step the number of those after it in which all ranks do the same with the same partners; -1: they do not
  // do the same in it.
  std::vector<int> alike_after;
};

struct OwnAlgorithm {
  std::string file;
  std::string name; // the file's own name
  Collective collective{};
  Expression ranks{1};              // for which numbers of ranks it is
  std::optional<Expression> blocks; // number of the vector's blocks; none: the operation has a block for each rank
  std::vector<OwnPhase> phases;

  bool is_for(int size) const;
  // The steps of a communicator's ranks, proved: each byte ends where the operation promises. Errors: a rule has no
  // value, a rank sends what it does not have, adds something twice or ends without something, the steps are too many.
  Result<std::shared_ptr<const OwnSchedule>> schedule(int size, std::optional<int> per_node) const;

private:
  // Schedules stay, since each call of each rank asks for one.
  mutable std::mutex mutex_;
  mutable std::map<std::pair<int, int>, Result<std::shared_ptr<const OwnSchedule>>> schedules_;
};

// The operations that files may have.
bool may_be_own(Collective collective);

// Writes the messages of all steps. Errors: those of rules.
Result<OwnSchedule> steps_of(const OwnAlgorithm& algorithm, int size, std::optional<int> per_node);
// Follows each block through the steps, and notes what is added. The first fault, if there is one.
std::optional<Error> fault_of(const OwnAlgorithm& algorithm, OwnSchedule& schedule);

// The first fault of a library's algorithms of files for the ranks of a group, if there is one.
std::optional<Error> own_fault(const Library& library, const Group& group);

Program run_own(Communicator comm, Call call);

} // namespace kakehashi
