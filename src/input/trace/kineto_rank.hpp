// A rank's trace of Kineto → its graph of operations.
//
// A stream of the device does one thing after the other. A call of NCCL also waits for what the host had started before
// it on other streams, as ProcessGroupNCCL lets its stream wait for the caller's; of that, for what had ended when its
// kernel began. Other work also waits for the call whose end let it go on: the one that had ended last before it began,
// and after the work before it on its stream; and for calls that record_param_comms has a "wait" for. What then is
// still missing to the time at which it began is the host's, and is kept.
#pragma once

#include "input/trace/kineto_calls.hpp"
#include "model/schedule.hpp"

#include <limits>

namespace kakehashi {

// What is not as in the traces.
struct KinetoGaps {
  std::size_t assumed = 0; // calls whose root or blocks are assumed
  std::size_t unnamed = 0; // kernels of NCCL of which is not known what they move: work
  std::size_t lost = 0;    // calls without a kernel
  std::size_t edges = 0;   // calls that not all ranks' traces have
};

class KinetoRank {
public:
  KinetoRank(std::string file, int rank, KinetoGaps& gaps) : file_(std::move(file)), rank_(rank), gaps_(gaps) {}

  // Once, first. Errors: calls that cannot be made sense of.
  Errors read(KinetoTrace trace, KinetoGroups& groups);

  // Numbers of a group's collective calls, if all of them have one; first and last.
  struct Numbers {
    bool are_known = true;
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    std::int64_t last = std::numeric_limits<std::int64_t>::min();
  };
  std::map<std::size_t, Numbers> numbers() const; // by group
  // Leaves out calls of a group beyond those numbers.
  void keep(std::size_t group, const Numbers& kept);

  // Once, at the end.
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
    std::optional<std::variant<CollectiveEvent, KinetoMessage>> action; // none: nothing is done
    bool has_kernel = false;
  };
  struct Operation { // of the device
    std::uint64_t index = 0;
    double begin = 0;
    double end = 0;
    double launched = 0;
    std::int64_t thread = 0; // that launched it
    std::uint32_t stream = 0;
    bool is_nccl = false;
    bool goes_on = false; // with the call of a kernel before
    std::vector<std::size_t> calls{};
    std::vector<std::uint32_t> after{}; // of operations, from waits
    std::uint32_t last = 0;             // of the graph, that ends it
  };
  struct DeviceStream {
    std::vector<std::uint32_t> operations; // as they began
    std::size_t ended = 0;                 // before the operation at hand began
    std::size_t of_nccl = 0;
    bool is_of_nccl() const { return 2 * of_nccl > operations.size(); }
  };

  void sort_events(KinetoTrace trace);
  void assign_calls(const std::vector<KinetoEvent>& kernels);
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
  std::vector<Call> calls_; // as the host made them
  std::vector<Call> waits_;
  std::vector<Operation> operations_; // as they began
  std::vector<DeviceStream> streams_;
  RankSchedule schedule_;
};

} // namespace kakehashi
