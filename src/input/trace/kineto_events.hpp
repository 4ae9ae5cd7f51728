// A trace of PyTorch's profiler (Kineto, in the JSON of Chrome's traces) → what a rank's GPU did, when the host
// started it, and what its collective calls were about.
#pragma once

#include "base/error.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kakehashi {

// Arguments of record_param_comms, some of which kernels of NCCL have, too. Numbers of ranks are the world's, but for
// `rank`: a rank of the group, the root of calls that have one.
struct KinetoCall {
  std::string collective;
  std::string type;                   // "Float"
  std::string group;                  // "Process Group Name"
  std::string members;                // "[0, 1]"; long lists end in "..."
  std::string splits;                 // "In split size"
  std::optional<std::int64_t> in;     // elements that go in
  std::optional<std::int64_t> out;    // and come out
  std::optional<std::int64_t> size;   // of the group
  std::optional<std::int64_t> first;  // rank of the group
  std::optional<std::int64_t> stride; // from one of its ranks to the next
  std::optional<std::int64_t> rank;
  std::optional<std::int64_t> source;
  std::optional<std::int64_t> target;
  std::optional<std::int64_t> number; // in the group: "Seq"
};

struct KinetoEvent {
  enum class Kind { kernel, copy, launch, call };
  Kind kind = Kind::kernel;
  std::uint64_t index = 0; // in the file
  double begin = 0;        // us
  double duration = 0;     // us
  bool is_nccl = false;
  std::int64_t thread = 0; // of the host
  std::int64_t device = 0;
  std::int64_t stream = 0;
  std::optional<std::int64_t> external;    // the host's operation that it belongs to
  std::optional<std::int64_t> correlation; // of a launch, and what it launches
  std::shared_ptr<const KinetoCall> call;  // of a call, and of kernels that have it
};

struct KinetoTrace {
  struct Group {
    std::string name;
    std::string members;
  };
  std::optional<std::int64_t> rank; // of distributedInfo
  std::optional<std::int64_t> ranks;
  std::vector<Group> groups;
  std::vector<KinetoEvent> events;
};

// Errors: no JSON, no array "traceEvents", or an event without a time.
Result<KinetoTrace> parse_kineto(const std::string& text, const std::string& file);

} // namespace kakehashi
