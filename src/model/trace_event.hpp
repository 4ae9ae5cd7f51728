// The events of a rank of a recorded application, as plain values.
#pragma once

#include "base/stream.hpp"
#include "base/units.hpp"
#include "model/mpi_settings.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace kakehashi {

// The ranks of a message are those of the world. None: any source, or a message to nobody.
struct SendEvent {
  std::optional<int> to;
  int tag = 0;
  Bytes size;
  bool blocking = true;
  bool is_buffered = false;  // it leaves from a copy, so a wait for it ends at once
  std::size_t context = 0;   // messages of different contexts never match; 0: the world
  std::uint64_t request = 0; // the number by which CompleteEvent names it; 0: none
};
struct ReceiveEvent {
  std::optional<int> from;
  std::optional<int> tag; // none: any
  bool blocking = true;
  bool is_persistent = false; // its wait may know the source that its start did not
  std::size_t context = 0;
  std::uint64_t request = 0;
};
struct SendReceiveEvent {
  SendEvent send;
  ReceiveEvent receive;
};
// The oldest open request with these ends and this tag, as its isend or irecv named them.
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
  std::optional<RequestName> request; // none: all open requests
};
// A wait for all open requests but `others`; each of these is listed as often as it stays open.
struct WaitAllEvent {
  std::vector<RequestName> others{};
};
struct WaitAnyEvent {}; // a wait for one of the open requests
// A wait for the nonblocking collective call that began first.
struct WaitCollectiveEvent {};
// A wait for all of these requests; unknown ones have ended already.
struct CompleteEvent {
  std::vector<std::uint64_t> requests;
};
// Reads or writes the memory of another rank, and does not block.
struct RemoteEvent {
  int peer = 0;
  Bytes size;
  bool is_read = false;
  std::uint64_t request = 0;
};
// A call that every rank of the communicator makes.
struct CollectiveEvent {
  Collective collective = Collective::barrier;
  int root = 0; // a rank of the communicator
  // bcast, reduce, allreduce, scan, exscan: the vector. gather, scatter, allgather, alltoall: a rank's block. gatherv:
  // the caller's block.
  Bytes size;
  std::vector<std::uint64_t> sizes; // scatterv, allgatherv, alltoallv, reduce_scatter: the block of each rank, in bytes
  Flops work;                       // work that follows the call; 0: the MPI library's own additions
  std::size_t communicator = 0;     // index into the source's communicators; 0: the world
  bool blocking = true;
  std::uint64_t request = 0;       // 0: the first WaitCollectiveEvent waits for it
  bool makes_communicator = false; // the ranks also agree on a number for the new communicator
};
struct ComputeEvent {
  Flops work;
};
// The rank is idle or works for a recorded time.
struct ElapseEvent {
  Seconds time;
  bool is_work = false; // it is work, which takes longer on a slower device
};
// Work of a device beside the rank, such as a kernel on a stream of a GPU.
struct DeviceWorkEvent {
  std::uint64_t number = 0;         // the number by which other events name it
  std::vector<std::uint64_t> after; // works that it waits for; unknown ones have ended
  Seconds delay;                    // from their end, or from now, until it begins
  Seconds time;
};
// The rank waits for works of its devices.
struct DeviceWaitEvent {
  std::vector<std::uint64_t> works;
};

struct TraceEvent {
  std::uint64_t line = 0;  // number in the unit of its stream
  Seconds recorded;        // how long the recorded call took, if that is known
  std::string_view site;   // the place of the call in the program, if it is known; the stream keeps both texts
  std::string_view region; // the region that the program named
  std::variant<SendEvent, ReceiveEvent, SendReceiveEvent, WaitEvent, TestEvent, WaitAllEvent, WaitAnyEvent,
               WaitCollectiveEvent, CompleteEvent, RemoteEvent, CollectiveEvent, ComputeEvent, ElapseEvent,
               DeviceWorkEvent, DeviceWaitEvent>
      what;
};

// Returns the name by which waits refer to the nonblocking message of a rank's event; nothing if it starts none.
inline std::optional<RequestName> request_of(const TraceEvent& event, int rank) {
  if (const auto* send = std::get_if<SendEvent>(&event.what); send && send->to && !send->blocking && !send->is_buffered)
    return RequestName{rank, send->to, send->tag};
  if (const auto* receive = std::get_if<ReceiveEvent>(&event.what); receive && !receive->blocking)
    return RequestName{receive->from, rank, receive->tag};
  return std::nullopt;
}

// "step/solve" is in the regions "step", "solve" and "step/solve".
inline bool is_in_region(std::string_view region, const std::string& name) {
  return ("/" + std::string(region) + "/").find("/" + name + "/") != std::string::npos;
}

using EventStream = Stream<TraceEvent>; // the events of one rank
using TraceSource = StreamSource<TraceEvent>;

} // namespace kakehashi
