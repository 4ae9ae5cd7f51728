// MPI operations as plain values: a rank's requests to the engine, and the engine's answers.
#pragma once

#include "base/error.hpp"
#include "base/units.hpp"

#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace kakehashi {

inline constexpr int any_source = -1;
inline constexpr int any_tag = -1; // matches tags from 0; negative tags belong to collective operations

// The number of a rank's nonblocking operation.
struct Request {
  std::uint32_t index = 0;
};

struct SendOperation {
  int to = 0;
  Bytes size;
  int tag = 0;
  bool blocking = true;
  bool on_hosts = false; // the message goes between the hosts of the ranks' GPUs
};
struct ReceiveOperation {
  int from = any_source;
  int tag = any_tag;
  bool blocking = true;
};
struct SendReceiveOperation {
  SendOperation send;
  ReceiveOperation receive;
};
struct WaitOperation { // for all of the requests
  std::vector<Request> requests;
  bool any = false; // for one of them
};
// Reads or writes the memory of another rank, which takes no part. It ends when the data has arrived.
struct RemoteOperation {
  int peer = 0;
  Bytes size;
  bool is_read = false;
  bool blocking = true;
  bool on_hosts = false; // between the hosts of the ranks' GPUs
};
// Whether a device beside the rank's core does the work, such as a GPU.
enum class OnDevice {
  no,
  begins, // the work begins after `after`; it takes none of the rank's time, and the rank learns how long it takes
  awaited // the rank waits for the device that long
};
struct ComputeOperation {
  Seconds time;
  Bytes traffic{};      // bytes from and to its memory, if the rank's data does not fit in caches
  bool blocking = true; // false: another core of the rank does it while the rank goes on; then it has no traffic
  bool in_call = false; // the MPI library does the work
  bool on_host = false; // the traffic loads the memory of the GPU's host
  OnDevice device = OnDevice::no;
  Seconds after{}; // for work that begins on a device
};
// A copy between the memory of the rank's GPU and that of its host. The core waits for its end.
struct HostCopyOperation {
  Bytes size;
  bool to_host = true;
  Seconds start; // time before the bytes flow
};
struct TestOperation { // asks whether the request has ended
  Request request;
};
struct FailOperation {                // ends the whole run
  std::shared_ptr<const Error> error; // a pointer keeps operations small
};

using Operation = std::variant<SendOperation, ReceiveOperation, SendReceiveOperation, WaitOperation, RemoteOperation,
                               ComputeOperation, HostCopyOperation, TestOperation, FailOperation>;

// The source and tag of a received message.
struct Received {
  int from = any_source;
  int tag = any_tag;
};

// An operation that a rank waits for, with the engine's answer.
struct PendingOperation {
  Operation operation;
  Request request;        // the request that a nonblocking operation started, or the one of several that ended
  Received received;      // by a blocking receive
  bool has_ended = false; // of a test: whether the request has ended
};

// Returns its name in messages: "send of 4 KiB to rank 1 (tag 0)".
std::string to_text(const Operation& operation);

} // namespace kakehashi
