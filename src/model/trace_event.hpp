// The events of a rank of a recorded application, as plain values.
#pragma once

#include "base/stream.hpp"
#include "base/units.hpp"
#include "model/collective.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace kakehashi {

// Ranks of a message are those of the world; none: any source, or a message to nobody.
struct SendEvent {
  std::optional<int> to;
  int tag = 0;
  Bytes size;
  bool blocking = true;
  bool is_buffered = false;  // leaves from a copy: a wait for it is over at once
  std::size_t context = 0;   // messages of different ones never meet; 0: the world's
  std::uint64_t request = 0; // its number, if one that CompleteEvent names; 0: none
};
struct ReceiveEvent {
  std::optional<int> from;
  std::optional<int> tag; // none: any
  bool blocking = true;
  bool is_persistent = false; // a wait for it may tell a source that its start did not
  std::size_t context = 0;
  std::uint64_t request = 0;
};
struct SendReceiveEvent {
  SendEvent send;
  ReceiveEvent receive;
};
// The oldest request of those ends and that tag that has not ended, as its isend or irecv named them.
struct RequestName {
  std::optional<int> from;
  std::optional<int> to;
  std::optional<int> tag;
  bool operator==(const RequestName&) const = default;
};
struct WaitEvent {
  RequestName request;
};
struct TestEvent {
  std::optional<RequestName> request; // none: all requests that have not ended
};
// For all requests that have not ended, but for these, each as often as it is in the list.
struct WaitAllEvent {
  std::vector<RequestName> others{};
};
struct WaitAnyEvent {}; // for one of them
// For the nonblocking collective call that was begun first.
struct WaitCollectiveEvent {};
// For all of these requests; those that are not known have ended already.
struct CompleteEvent {
  std::vector<std::uint64_t> requests;
};
// Reads or writes the memory of another rank; does not block.
struct RemoteEvent {
  int peer = 0;
  Bytes size;
  bool is_read = false;
  std::uint64_t request = 0;
};
// Every rank of the communicator calls it.
struct CollectiveEvent {
  Collective collective = Collective::barrier;
  int root = 0; // a rank of the communicator
  // bcast, reduce, allreduce, scan, exscan: the vector. gather, scatter, allgather, alltoall: a rank's block. gatherv:
  // what this rank sends.
  Bytes size;
  std::vector<std::uint64_t> sizes; // scatterv, allgatherv, alltoallv, reduce_scatter: a rank's blocks, in bytes
  Flops work;                       // that follows; 0: as the MPI library adds
  std::size_t communicator = 0;     // of the source's; 0: the world
  bool blocking = true;
  std::uint64_t request = 0; // 0: the first WaitCollectiveEvent is for it
  bool makes_communicator = false; // of its ranks, or of some: they agree on a number, too
};
struct ComputeEvent {
  Flops work;
};
// The rank does nothing, or what the recorded machine's core did in that time.
struct ElapseEvent {
  Seconds time;
  bool is_work = false; // takes longer on a slower device
};
// Work of a device beside the rank, such as a kernel on a stream of a GPU.
struct DeviceWorkEvent {
  std::uint64_t number = 0;         // by which others name it
  std::vector<std::uint64_t> after; // works that it waits for; those that are not known have ended
  Seconds delay;                    // from then, or from now, until it begins
  Seconds time;
};
// The rank waits for works of its devices.
struct DeviceWaitEvent {
  std::vector<std::uint64_t> works;
};

struct TraceEvent {
  std::uint64_t line = 0;  // or what else its stream counts
  Seconds recorded;        // that the call took, where that is known
  std::string_view site;   // where the program calls, if it is known; the stream keeps both texts
  std::string_view region; // that the program names
  std::variant<SendEvent, ReceiveEvent, SendReceiveEvent, WaitEvent, TestEvent, WaitAllEvent, WaitAnyEvent,
               WaitCollectiveEvent, CompleteEvent, RemoteEvent, CollectiveEvent, ComputeEvent, ElapseEvent,
               DeviceWorkEvent, DeviceWaitEvent>
      what;
};

// "step/solve" is in "step", in "solve" and in itself.
inline bool is_in_region(std::string_view region, const std::string& name) {
  return ("/" + std::string(region) + "/").find("/" + name + "/") != std::string::npos;
}

using EventStream = Stream<TraceEvent>; // of one rank
using TraceSource = StreamSource<TraceEvent>;

} // namespace kakehashi
