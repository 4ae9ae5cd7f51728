// The arguments that PyTorch's record_param_comms states for a call → the call, in a process group.
#pragma once

#include "input/trace/gpu/kineto_events.hpp"
#include "model/trace_event.hpp"

#include <map>
#include <variant>

namespace kakehashi {

// The process groups in all ranks' traces. One name may stand for different ranks in the traces of different ranks.
class KinetoGroups {
public:
  explicit KinetoGroups(int ranks);

  // Takes the groups that a trace lists, for calls whose own list is cut; called before the trace's calls.
  void begin_trace(const std::vector<KinetoTrace::Group>& listed);
  // Returns the group's place in the list, or why there is none.
  std::variant<std::size_t, std::string> find(const KinetoCall& call);
  const std::vector<RankGroup>& list() const { return groups_; } // the group of all ranks comes first
  bool is_alone(const KinetoCall& call) const { return call.size.value_or(ranks_) == 1; } // in a group of one rank

private:
  std::variant<std::vector<int>, std::string> members_of(const KinetoCall& call) const;

  int ranks_;
  std::map<std::string, std::string, std::less<>> listed_;
  std::vector<RankGroup> groups_;
  std::map<std::pair<std::string, std::vector<int>>, std::size_t> places_;
};

struct KinetoMessage {
  int peer = 0; // a rank of the world
  Bytes size;
  bool is_send = false;
};

// What a call does in its group; or why that is unknown.
using KinetoAction = std::variant<CollectiveEvent, KinetoMessage, std::string>;
struct GroupOfCall {
  std::size_t place;
  const std::vector<int>& members;
};
// Sets is_assumed if it takes the group's first rank for the root, or blocks for equal ones.
KinetoAction action_of(const KinetoCall& call, const GroupOfCall& group, bool& is_assumed);

bool is_message(const KinetoCall& call);     // send or recv
bool is_wait(const KinetoCall& call);        // whether a stream waits for a call
bool moves_anything(const KinetoCall& call); // whether it is a collective call or a message

} // namespace kakehashi
