// What the ranks of a DUMPI trace do with communicators → the members of each.
//
// Numbers of communicators and groups are each rank's own. So all calls that make a communicator of another one are
// paired: the n-th of each of its members.
#pragma once

#include "base/stream.hpp"
#include "input/trace/dumpi/dumpi_file.hpp"

#include <map>

namespace kakehashi {

inline constexpr std::int64_t dumpi_world = 2;
inline constexpr std::int64_t dumpi_self = 3;

// The calls of one rank that make communicators and groups, in their order.
class DumpiGroupCalls {
public:
  void take(const DumpiCall& call);

  struct Call {
    std::string_view function;
    std::vector<DumpiValue> values;
  };
  std::vector<Call> calls;
};
// Whether the function makes a communicator; the first value that is a communicator's number, and the last, are the old
// one and the new one.
bool makes_communicator(std::string_view function);
std::int64_t old_communicator(std::string_view function, const std::vector<DumpiValue>& values);

struct DumpiCommunicators {
  std::vector<RankGroup> groups; // the world comes first
  // For each rank, and each of its calls that make a communicator: the new one's index in `groups`; none: the rank is
  // not in it, or its members are unknown, such as those of a communicator between groups.
  std::vector<std::vector<std::optional<std::size_t>>> made;
};
DumpiCommunicators dumpi_communicators(const std::vector<DumpiGroupCalls>& ranks);

} // namespace kakehashi
