// What a recorded application did, as plain values: the events of one rank, one after the other, and where they are
// read from.
#pragma once

#include "base/error.hpp"
#include "base/units.hpp"
#include "spec/collective.hpp"

#include <memory>
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
};
struct ReceiveEvent {
  std::optional<int> from;
  std::optional<int> tag; // none: any
  bool blocking = true;
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
struct WaitAllEvent {}; // for all requests that have not ended
struct WaitAnyEvent {}; // for one of them
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
};
struct ComputeEvent {
  Flops work;
};
// The rank does nothing, or what the recorded machine's core did in that time.
struct ElapseEvent {
  Seconds time;
  bool is_work = false; // takes longer on a slower device
};

struct TraceEvent {
  std::uint64_t line = 0; // or what else its stream counts
  std::variant<SendEvent, ReceiveEvent, SendReceiveEvent, WaitEvent, TestEvent, WaitAllEvent, WaitAnyEvent,
               CollectiveEvent, ComputeEvent, ElapseEvent>
      what;
};

// The events of one rank.
class EventStream {
public:
  virtual ~EventStream() = default;

  virtual const std::string& file() const = 0;
  virtual std::string_view unit() const { return "line"; } // what an event's number counts
  // The next event, valid until the next call; null at the end, or at a fault.
  virtual const TraceEvent* next() = 0;
  virtual const std::optional<Error>& fault() const = 0;
};

// Streams may be opened again and again; each is read on its own.
class TraceSource {
public:
  virtual ~TraceSource() = default;

  virtual std::unique_ptr<EventStream> open(int rank) const = 0;
  virtual std::uint64_t bytes() const = 0; // of all ranks' text
  // The ranks of each communicator; none: there is only the world. Else the world is the first.
  virtual const std::vector<std::vector<int>>& communicators() const {
    static const std::vector<std::vector<int>> none;
    return none;
  }
};

} // namespace kakehashi
