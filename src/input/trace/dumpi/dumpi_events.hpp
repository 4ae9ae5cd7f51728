// The calls of one rank in a DUMPI trace → events.
#pragma once

#include "input/trace/dumpi/dumpi_communicators.hpp"
#include "input/trace/dumpi/dumpi_requests.hpp"

#include <set>

namespace kakehashi {

// What the events leave out, and how often.
using DumpiGaps = std::map<std::string, std::uint64_t>;

class DumpiEvents {
public:
  // All must outlive it.
  DumpiEvents(const DumpiFile& file, const DumpiCommunicators& communicators, int rank)
      : file_(file), all_(communicators), rank_(rank) {}

  void take(const DumpiCall& call);
  // Returns the next event that is complete. at_end: no further calls will come.
  std::optional<TraceEvent> next(bool at_end);
  const std::string& fault() const { return fault_; } // empty: none
  const DumpiGaps& gaps() const { return gaps_; }

private:
  // What a call becomes: dumpi_rows.cpp. Places are those of arguments, as dumpi_calls.inc has them.
  using Handler = void (*)(DumpiEvents&);
  static const std::vector<Handler>& handlers();

  std::int64_t number(std::size_t place) const { return call_->number(place); }
  void fail(std::string message);
  void leave_out(std::string_view why);
  // Has the place and the time of the call.
  TraceEvent event() const { return {call_->place, call_->stop - call_->start, {}, {}, {}}; }
  template <class What> void add(What what);

  bool is_self(std::int64_t id) const { return id == dumpi_self || copies_of_self_.contains(id); }
  std::optional<std::size_t> communicator(std::int64_t id);
  std::optional<int> member(std::size_t communicator, std::int64_t rank);
  std::uint64_t size_of(std::int64_t type);
  Bytes bytes_of(std::int64_t count, std::int64_t type);
  Bytes bytes(std::size_t count) { return bytes_of(number(count), number(count + 1)); } // the type follows the count
  std::vector<std::uint64_t> sizes(std::size_t counts, std::size_t type);

  // Its arguments are the count, the type, the rank and the tag. None: it is left out; its `to` is none: it goes to
  // nobody.
  std::optional<SendEvent> send_of(std::size_t comm, bool blocking);
  // `from`: the place of the rank, which the tag follows. `state` may state what was received. None: it is left out.
  std::optional<ReceiveEvent> receive_of(std::size_t from, std::size_t comm, const DumpiValue* state);
  void send(bool is_buffered);
  void receive();
  void exchange(std::size_t from, std::size_t comm);
  void set_send(bool is_buffered, bool is_persistent);
  void set_receive(bool is_persistent);
  void begin(std::int64_t request) { requests_.begin(request, event()); }
  void end(std::int64_t request);
  void end_some(const std::vector<std::int64_t>& places); // of the list of requests
  void end_listed();                                      // all of them

  void collective(Collective kind, std::size_t comm, Bytes size = {}, std::optional<std::size_t> root = {},
                  std::vector<std::uint64_t> sizes = {});
  void gatherv();
  void scatterv();
  void alltoallw();
  void make();

  const DumpiFile& file_;
  const DumpiCommunicators& all_;
  int rank_;
  const DumpiCall* call_ = nullptr;
  bool begun_ = false;
  Seconds last_;                                               // when the rank last returned from MPI
  std::map<std::int64_t, std::optional<std::size_t>> known_{}; // communicators by number
  std::set<std::int64_t> copies_of_self_;
  std::size_t made_ = 0; // how many calls have made communicators
  LateQueue<TraceEvent> events_;
  DumpiRequests requests_{all_.groups, events_};
  DumpiGaps gaps_;
  std::string fault_;
};

} // namespace kakehashi
