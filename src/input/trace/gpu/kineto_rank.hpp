// The trace of a rank from Kineto → its graph of operations.
//
// A stream of the device does one thing after the other. An NCCL call also waits for what the host had started before
// it on other streams, as ProcessGroupNCCL makes its stream wait for the caller's; of that, only for what had ended
// when the call's kernel began. Other work also waits for calls: for the one that ended last before this work began and
// after the previous work on its stream, and for calls that record_param_comms has a "wait" for. The rest of the time
// until the work began is the host's, and is kept.
#pragma once

#include "base/error.hpp"
#include "input/trace/gpu/gpu_readers.hpp"
#include "model/schedule.hpp"
#include "model/trace_event.hpp"

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace kakehashi {

// A trace of PyTorch's profiler (Kineto, in the JSON of Chrome's traces) → the work of a rank's GPU, the host's
// launches of it, and the arguments of its collective calls.

// Arguments of record_param_comms; some kernels of NCCL have them, too. Ranks are numbered as in the world, except
// `rank`: the root of a call that has one, as a rank of the group.
struct KinetoCall {
  std::string collective;
  std::string type;                   // "Float"
  std::string group;                  // "Process Group Name"
  std::string members;                // "[0, 1]"; long lists end in "..."
  std::string splits;                 // "In split size"
  std::optional<std::int64_t> in;     // number of elements that go in
  std::optional<std::int64_t> out;    // number of elements that come out
  std::optional<std::int64_t> size;   // size of the group
  std::optional<std::int64_t> first;  // the group's first rank
  std::optional<std::int64_t> stride; // distance between the group's ranks
  std::optional<std::int64_t> rank;
  std::optional<std::int64_t> source;
  std::optional<std::int64_t> target;
  std::optional<std::int64_t> number; // number of the call in the group: "Seq"
};

struct KinetoEvent {
  enum class Kind { kernel, copy, launch, call };
  Kind kind = Kind::kernel;
  KernelName work = KernelName::other;
  std::uint64_t index = 0; // position in the file
  double begin = 0;        // us
  double duration = 0;     // us
  bool is_nccl = false;
  std::int64_t thread = 0; // the host's thread
  std::int64_t device = 0;
  std::int64_t stream = 0;
  std::optional<std::int64_t> external;    // the host's operation to which it belongs
  std::optional<std::int64_t> correlation; // joins a launch and the work that it launches
  std::shared_ptr<const KinetoCall> call;  // the arguments of calls, and of kernels that have them
};

struct KinetoTrace {
  struct Group {
    std::string name;
    std::string members;
  };
  std::optional<std::int64_t> rank; // from distributedInfo
  std::optional<std::int64_t> ranks;
  std::vector<Group> groups;
  std::vector<KinetoEvent> events;
  std::map<std::string, std::size_t> categories; // the number of events of each, all kinds
  std::set<std::string> steps;                   // names of the profiler's steps
};

// Errors: the text is no JSON, has no array "traceEvents", or an event has no time.
Result<KinetoTrace> parse_kineto(const std::string& text, const std::string& file);

// The arguments that PyTorch's record_param_comms states for a call → the call, in a process group.

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

// What the graphs assume or leave out.
struct KinetoGaps {
  std::size_t assumed = 0; // calls whose root or blocks are assumed
  std::size_t unnamed = 0; // NCCL kernels whose data is unknown; they count as work
  std::size_t lost = 0;    // calls without a kernel
  std::size_t edges = 0;   // calls that only some ranks' traces have
};

class KinetoRank {
public:
  KinetoRank(std::string file, int rank, KinetoGaps& gaps) : file_(std::move(file)), rank_(rank), gaps_(gaps) {}

  // Called once, first. Errors: calls that make no sense.
  Errors read(KinetoTrace trace, KinetoGroups& groups);

  // The numbers of a group's collective calls, if all have one.
  struct Numbers {
    bool are_known = true;
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    std::int64_t last = std::numeric_limits<std::int64_t>::min();
  };
  std::map<std::size_t, Numbers> numbers() const; // keys are groups
  // Leaves out the group's calls with other numbers.
  void keep(std::size_t group, const Numbers& kept);

  // Called once, at the end.
  RankSchedule finish();

private:
  struct Call {
    std::uint64_t index = 0;
    double begin = 0;
    double end = 0;
    std::int64_t thread = 0;
    std::optional<std::int64_t> external;
    std::shared_ptr<const KinetoCall> stated;
    std::size_t group = 0;
    std::optional<std::variant<CollectiveEvent, KinetoMessage>> action; // none: the call does nothing
    bool has_kernel = false;
  };
  struct Operation { // an operation of the device
    std::uint64_t index = 0;
    double begin = 0;
    double end = 0;
    double launched = 0;
    std::int64_t thread = 0; // the thread that launched it
    std::uint32_t stream = 0;
    bool is_nccl = false;
    bool goes_on = false; // it has a further call of the previous kernel
    std::vector<std::size_t> calls{};
    std::vector<std::uint32_t> after{}; // operations that it has to wait for
    std::uint32_t last = 0;             // the operation of the graph that ends it
  };
  struct DeviceStream {
    std::vector<std::uint32_t> operations; // in the order of their begins
    std::size_t ended = 0;                 // number of operations that ended before the current one began
    std::size_t of_nccl = 0;
    bool is_of_nccl() const { return 2 * of_nccl > operations.size(); }
  };

  void sort_events(KinetoTrace trace, const KinetoGroups& groups);
  void assign_calls(const std::vector<KinetoEvent>& kernels, const KinetoGroups& groups);
  void leave_outer_calls();
  void add_waits();
  Errors resolve(KinetoGroups& groups);
  std::vector<std::uint32_t> causes(std::uint32_t index);
  std::optional<std::uint32_t> cause_on(const DeviceStream& stream, const Operation& operation) const;
  void add(std::uint32_t index);
  std::uint32_t add_work(const Operation& operation, double time, const std::vector<std::uint32_t>& after);
  std::uint32_t add_call(const Operation& operation, const Call& call, const std::vector<std::uint32_t>& after);

  std::string file_;
  int rank_;
  KinetoGaps& gaps_;
  std::vector<Call> calls_; // in the order in which the host made them
  std::vector<Call> waits_;
  std::vector<Operation> operations_; // in the order of their begins
  std::vector<DeviceStream> streams_;
  RankSchedule schedule_;
};

} // namespace kakehashi
