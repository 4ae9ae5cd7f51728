// What record_param_comms of PyTorch states of a call → the call, in a process group.
#pragma once

#include "input/trace/kineto_events.hpp"
#include "model/trace_event.hpp"

#include <map>
#include <variant>

namespace kakehashi {

// Process groups of all ranks' traces. A name may stand for different ranks in the traces of different ranks.
class KinetoGroups {
public:
  explicit KinetoGroups(int ranks);

  // The groups that a trace lists, for its calls whose own list is cut; before its calls.
  void begin_trace(const std::vector<KinetoTrace::Group>& listed);
  // Its place in the list, or why there is none.
  std::variant<std::size_t, std::string> find(const KinetoCall& call);
  const std::vector<RankGroup>& list() const { return groups_; } // all ranks are the first

private:
  std::variant<std::vector<int>, std::string> members_of(const KinetoCall& call) const;

  int ranks_;
  std::map<std::string, std::string, std::less<>> listed_;
  std::vector<RankGroup> groups_;
  std::map<std::pair<std::string, std::vector<int>>, std::size_t> places_;
};

struct KinetoMessage {
  int peer = 0; // of the world
  Bytes size;
  bool is_send = false;
};

// What a call does in its group; or why that is not known.
using KinetoAction = std::variant<CollectiveEvent, KinetoMessage, std::string>;
struct GroupOfCall {
  std::size_t place;
  const std::vector<int>& members;
};
// is_assumed is set where a root is taken for the group's first, or blocks for equal ones.
KinetoAction action_of(const KinetoCall& call, const GroupOfCall& group, bool& is_assumed);

bool is_message(const KinetoCall& call);     // send or recv
bool is_wait(const KinetoCall& call);        // of a stream for a call
bool moves_anything(const KinetoCall& call); // a collective call or a message

} // namespace kakehashi
