// MPI operations as plain values: a rank's requests to the engine, and the engine's answers.
#pragma once

#include "base/error.hpp"
#include "base/units.hpp"
#include "model/lane.hpp"

#include <memory>
#include <optional>
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
  LaneNumber lane = own_lane; // at both ends
  bool is_modified = false;   // the bytes are new in the sender's cache: it has received, added or packed them
};
// It happens on the lane of the message that it receives.
struct ReceiveOperation {
  int from = any_source;
  int tag = any_tag;
  bool blocking = true;
};
struct SendReceiveOperation {
  SendOperation send;
  ReceiveOperation receive;
};
// Most waits are for one request, which takes no memory of its own.
class RequestList {
public:
  RequestList() = default;
  RequestList(Request one) : one_(one), has_one_(true) {}
  RequestList(std::vector<Request> many) : many_(std::move(many)) {}

  const Request* begin() const { return has_one_ ? &one_ : many_.data(); }
  const Request* end() const { return begin() + size(); }
  std::size_t size() const { return has_one_ ? 1 : many_.size(); }
  bool empty() const { return size() == 0; }

private:
  std::vector<Request> many_;
  Request one_;
  bool has_one_ = false;
};
struct WaitOperation { // a wait for all of the requests
  RequestList requests;
  bool any = false; // a wait for one of them; if none are named, of all that are open (see Rank::waits_for_any)

  bool is_for_any_of_all() const { return any && requests.empty(); }
};
// Reads or writes the memory of another rank, which takes no part. It ends when the data has arrived.
struct RemoteOperation {
  int peer = 0;
  Bytes size;
  bool is_read = false;
  bool blocking = true;
  LaneNumber lane = own_lane; // at both ends
};
// Work on the lane's worker, or a wait for it.
//
// The rank waits for work that blocks. Else it goes on: work on another core or on a worker of the lane's own is a
// request. Work on a device begins after `after` and is none: the rank learns how long it takes, and what blocks there
// is a wait that long for the device.
struct ComputeOperation {
  Seconds time;
  Bytes traffic{};      // bytes from and to the memory of the lane's place, if the rank's data does not fit in caches
  bool blocking = true; // false: it has no traffic
  bool in_call = false; // the MPI library does the work
  LaneNumber lane = own_lane;
  Seconds after{};
};
// A copy between the places of two lanes, one of them the rank's own. The core waits for its end.
struct CopyOperation {
  Bytes size;
  LaneNumber from = own_lane;
  LaneNumber to = own_lane;
  Seconds start; // time before the bytes flow
};
// Work that ranks do together, without cores of theirs: it begins when so many have asked for the call, and takes the
// longest of the times that they state. A rank that asks again is in the next call of that number.
struct JointOperation {
  std::uint64_t call = 0;
  std::size_t ranks = 1;
  Seconds time;
  bool blocking = true;
};
struct TestOperation { // asks whether the request has ended
  Request request;
};
struct FailOperation {                // ends the whole run
  std::shared_ptr<const Error> error; // a pointer keeps operations small
};

// What the MPI library does with messages inside a node, as in MpiSettings.
struct NodeCosts {
  std::optional<Bytes> single_copy_from{}; // shorter ones pass through a buffer; none: eager ones do
  double full_node_factor = 1;
  Seconds network_polling{};
  Seconds after_work{};
  SecondsPerByte after_work_copy{};
};

using Operation = std::variant<SendOperation, ReceiveOperation, SendReceiveOperation, WaitOperation, RemoteOperation,
                               ComputeOperation, CopyOperation, JointOperation, TestOperation, FailOperation>;

// The source and tag of a received message.
struct Received {
  int from = any_source;
  int tag = any_tag;
};

// An operation that a rank waits for, with the engine's answer.
struct PendingOperation {
  Operation operation;
  Request request;        // the request that a nonblocking operation started, or the one of several that ended
  Received received;      // what a blocking receive received
  bool has_ended = false; // a test's answer: whether the request has ended
};

// Returns its name in messages: "send of 4 KiB to rank 1 (tag 0)".
std::string to_text(const Operation& operation);

} // namespace kakehashi
