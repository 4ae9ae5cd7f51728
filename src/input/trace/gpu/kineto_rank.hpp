// The trace of a rank from Kineto → its graph of operations.
//
// A stream of the device does one thing after the other. An NCCL call also waits for what the host had started before
// it on other streams, as ProcessGroupNCCL makes its stream wait for the caller's; of that, only for what had ended
// when the call's kernel began. Other work also waits for calls: for the one that ended last before this work began and
// after the previous work on its stream, and for calls that record_param_comms has a "wait" for. The rest of the time
// until the work began is the host's, and is kept.
#pragma once

#include "input/trace/gpu/kineto_calls.hpp"
#include "model/schedule.hpp"

#include <limits>

namespace kakehashi {

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
  std::map<std::size_t, Numbers> numbers() const; // by group
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
