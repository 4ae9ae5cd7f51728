// The records of one rank in an OTF2 archive, one after the other → events. Needs the OTF2 library.
#pragma once

#include "base/late_queue.hpp"
#include "base/stream.hpp"
#include "model/trace_event.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <otf2/otf2.h>
#include <string>
#include <unordered_map>
#include <vector>

namespace kakehashi {

// The definitions of an OTF2 archive → its ranks, communicators and MPI functions. Needs the OTF2 library.
struct CloseOtf2Reader {
  void operator()(OTF2_Reader* reader) const { OTF2_Reader_Close(reader); }
};
using Otf2Reader = std::unique_ptr<OTF2_Reader, CloseOtf2Reader>;

struct Otf2Communicator {
  std::size_t index = 0;        // among communicators with members
  bool is_self = false;         // each rank has its own, of itself alone
  bool has_world_ranks = false; // events state ranks of the world
};

struct Otf2Definitions {
  double ticks_per_second = 1;
  std::vector<std::uint64_t> locations;                                // locations of each rank
  std::vector<RankGroup> communicators;                                // the world comes first
  std::unordered_map<std::uint32_t, Otf2Communicator> communicator_of; // keys are the archive's numbers
  std::unordered_map<std::uint32_t, std::string> mpi_functions;        // names by number
};

// Returns null if the archive cannot be opened.
Otf2Reader open_otf2_reader(const std::string& file);

Result<Otf2Definitions> read_otf2_definitions(const std::string& file);

// What an archive lacks.
struct Otf2Gaps {
  std::map<std::string, std::uint64_t> silent_calls; // calls that move data but have no record of it, by name
  std::uint64_t endless_receives = 0;                // receives that began and never ended
  std::uint64_t endless_calls = 0;                   // nonblocking collective calls that began and never ended

  void add(const Otf2Gaps& more) {
    for (const auto& [name, count] : more.silent_calls)
      silent_calls[name] += count;
    endless_receives += more.endless_receives;
    endless_calls += more.endless_calls;
  }
};

// A receive becomes an event once it is known what it received; for nonblocking receives that is at their end.
class Otf2Events {
public:
  Otf2Events(const Otf2Definitions& definitions, int rank) : definitions_(definitions), rank_(rank) {}

  // Returns the next event that is complete. at_end: no further records will come.
  std::optional<TraceEvent> take(bool at_end);
  const std::string& fault() const { return fault_; } // empty: none
  std::uint64_t records() const { return records_; }
  Otf2Gaps gaps() const; // complete at the end

  // The reader calls one of these for each record; times are in ticks.
  void begin(std::uint64_t time) { // called before each of the others
    ++records_;
    if (!begun_)
      last_ = time;
    begun_ = true;
    now_ = time;
  }
  void enter(std::uint32_t function);
  void leave(std::uint32_t function);
  void send(std::uint32_t to, std::uint32_t comm, std::uint32_t tag, std::uint64_t bytes,
            std::optional<std::uint64_t> request);
  void receive(std::uint32_t from, std::uint32_t comm, std::uint32_t tag);
  void begin_receive(std::uint64_t request);
  void end_receive(std::uint32_t from, std::uint32_t comm, std::uint32_t tag, std::uint64_t request);
  void end_send(std::uint64_t request);
  void cancel(std::uint64_t request);
  void begin_collective() { call_mpi(); }
  void collective(OTF2_CollectiveOp operation, std::uint32_t comm, std::uint32_t root, std::uint64_t sent,
                  std::uint64_t received);
  void begin_nonblocking(std::uint64_t request);
  void end_nonblocking(OTF2_CollectiveOp operation, std::uint32_t comm, std::uint32_t root, std::uint64_t sent,
                       std::uint64_t received, std::uint64_t request);

private:
  // Returns its number.
  template <class Event> std::uint64_t add(Event event, bool is_known = true) {
    return queue_.add({records_, {}, {}, {}, std::move(event)}, is_known);
  }
  void call_mpi(); // the time since the last call was work
  void end_both();
  std::optional<CollectiveEvent> call_of(OTF2_CollectiveOp operation, std::uint32_t comm, std::uint32_t root,
                                         std::uint64_t sent, std::uint64_t received);
  void fail(std::string message);
  std::optional<int> world_rank(std::uint32_t rank, std::uint32_t comm);
  int tag_in(std::uint32_t comm, std::uint32_t tag) const;
  std::vector<std::uint64_t> parts(std::uint64_t bytes, std::size_t ranks) const;

  const Otf2Definitions& definitions_;
  int rank_;
  std::uint64_t records_ = 0;
  bool begun_ = false;
  std::uint64_t now_ = 0;
  std::uint64_t last_ = 0; // when the rank last returned from MPI
  int depth_ = 0;          // number of nested MPI functions
  LateQueue<TraceEvent> queue_;
  std::unordered_map<std::uint64_t, std::uint64_t> receives_; // request → number in the queue
  std::unordered_map<std::uint64_t, RequestName> sends_;      // request → its name
  std::unordered_map<std::uint64_t, std::uint64_t> calls_;    // nonblocking request → number in the queue
  const std::string* function_ = nullptr;                     // the outermost MPI function that the rank is in
  bool has_record_ = false;                                   // whether that function has a record of its data
  std::optional<SendEvent> half_send_;                        // one half of a sendrecv
  std::optional<ReceiveEvent> half_receive_;
  Otf2Gaps gaps_;
  std::string fault_;
};

} // namespace kakehashi
