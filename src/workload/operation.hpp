// A rank's requests to the engine, and their results: MPI operations as plain values.
#pragma once

#include "base/error.hpp"
#include "base/units.hpp"

#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace kakehashi {

inline constexpr int any_source = -1;
inline constexpr int any_tag = -1; // takes tags from 0 on; those below belong to collective operations

// The rank's n-th nonblocking operation.
struct Request {
  std::uint32_t index = 0;
};

struct SendOperation {
  int to = 0;
  Bytes size;
  int tag = 0;
  bool blocking = true;
  bool on_hosts = false; // between the hosts of the ranks' GPUs
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
struct WaitOperation { // for all of them
  std::vector<Request> requests;
  bool any = false; // for one of them
};
// Reads or writes the memory of another rank, which takes no part; done when the data is there.
struct RemoteOperation {
  int peer = 0;
  Bytes size;
  bool is_read = false;
  bool blocking = true;
  bool on_hosts = false; // likewise
};
// Whether a device of its own, such as a GPU beside the rank's core, does it.
enum class OnDevice {
  no,
  begins, // from `after` from now on; takes none of the rank's time, and whoever begins it learns how long it takes
  awaited // the rank waits so long for the device
};
struct ComputeOperation {
  Seconds time;
  Bytes traffic;        // of its memory, if what the rank works on does not fit in caches
  bool blocking = true; // else it is done by another core of the rank's, which goes on meanwhile; without traffic
  bool in_call = false; // the MPI library does it
  bool on_host = false; // the traffic is of the memory of its GPU's host
  OnDevice device = OnDevice::no;
  Seconds after{}; // of work that begins on a device
};
// Between the memory of the rank's GPU and that of its host; the core waits for its end.
struct HostCopyOperation {
  Bytes size;
  bool to_host = true;
  Seconds start; // before the bytes flow
};
struct TestOperation { // tells whether the request has ended
  Request request;
};
struct FailOperation {                // ends the whole run
  std::shared_ptr<const Error> error; // operations stay small
};

using Operation = std::variant<SendOperation, ReceiveOperation, SendReceiveOperation, WaitOperation, RemoteOperation,
                               ComputeOperation, HostCopyOperation, TestOperation, FailOperation>;

// Of a message that was received.
struct Received {
  int from = any_source;
  int tag = any_tag;
};

// An operation that a rank waits for, with what the engine finds out for it.
struct PendingOperation {
  Operation operation;
  Request request;        // that it started, if it is nonblocking; or of several the one that ended
  Received received;      // by a blocking receive
  bool has_ended = false; // the request of a test
};

// As messages name it: "send of 4 KiB to rank 1 (tag 0)".
std::string to_text(const Operation& operation);

} // namespace kakehashi
