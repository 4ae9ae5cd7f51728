// A trace of PyTorch's profiler (Kineto, in the JSON of Chrome's traces) → the work of a rank's GPU, the host's
// launches of it, and the arguments of its collective calls.
#pragma once

#include "base/error.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kakehashi {

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
  std::optional<std::int64_t> size;   // of the group
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
  std::uint64_t index = 0; // position in the file
  double begin = 0;        // us
  double duration = 0;     // us
  bool is_nccl = false;
  std::int64_t thread = 0; // of the host
  std::int64_t device = 0;
  std::int64_t stream = 0;
  std::optional<std::int64_t> external;    // the host's operation to which it belongs
  std::optional<std::int64_t> correlation; // joins a launch and the work that it launches
  std::shared_ptr<const KinetoCall> call;  // for calls, and for kernels that have these arguments
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
};

// Errors: the text is no JSON, has no array "traceEvents", or an event has no time.
Result<KinetoTrace> parse_kineto(const std::string& text, const std::string& file);

} // namespace kakehashi
