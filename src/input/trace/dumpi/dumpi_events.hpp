// The calls of one rank in a DUMPI trace → events.
#pragma once

#include "input/trace/dumpi/dumpi_communicators.hpp"
#include "model/trace_event.hpp"

#include <deque>
#include <map>
#include <set>
#include <unordered_map>

namespace kakehashi {

// What the events leave out, and how often.
using DumpiGaps = std::map<std::string, std::uint64_t>;

// A receive from any rank becomes an event once it is known what it received, or that it is not.
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
  using Take = void (DumpiEvents::*)();
  struct Handler {
    std::string_view name;
    Take take;
  };
  static const std::vector<Take>& handlers();

  struct Entry {
    TraceEvent event;
    bool is_whole = true;
    bool is_dropped = false;
  };
  // What a number of a request stands for.
  struct Started {
    std::optional<SendEvent> send; // or a receive
    ReceiveEvent receive;
    std::size_t communicator = 0;
    bool is_persistent = false;
    bool is_to_nobody = false;
    std::uint64_t number = 0; // of what was started; 0: nothing is
    std::uint64_t place = 0;  // of a receive from any rank among all entries, counted from 1; 0: none
  };

  void send();
  void buffered_send();
  void isend();
  void receive();
  void ireceive();
  void init_send();
  void init_receive();
  void start();
  void start_all();
  void send_receive();
  void send_receive_replace();
  void wait();
  void wait_all();
  void wait_any();
  void wait_some();
  void test();
  void test_all();
  void test_any();
  void free_request();
  void cancel();
  void barrier();
  void bcast();
  void reduce();
  void allreduce();
  void scan();
  void exscan();
  void gather();
  void gatherv();
  void scatter();
  void scatterv();
  void allgather();
  void allgatherv();
  void alltoall();
  void alltoallv();
  void alltoallw();
  void reduce_scatter();
  void make();

  std::int64_t number(std::size_t i) const { return call_->number(i); }
  void fail(std::string message);
  void leave_out(std::string_view why);
  template <class Event> Entry& add(Event event);
  bool is_self(std::int64_t id) const { return id == dumpi_self || copies_of_self_.contains(id); }
  std::optional<std::size_t> communicator(std::int64_t id);
  std::optional<int> member(std::size_t communicator, std::int64_t rank);
  std::uint64_t size_of(std::int64_t type);
  Bytes bytes_of(std::int64_t count, std::int64_t type);
  std::vector<std::uint64_t> sizes_of(const std::vector<std::int64_t>& counts, std::int64_t type);
  std::optional<SendEvent> send_of(std::size_t count, std::size_t to, std::int64_t comm, bool blocking);
  std::optional<ReceiveEvent> receive_of(std::size_t from, std::int64_t comm, const DumpiValue* state, bool blocking);
  Started& new_send(std::string_view buffered); // the name of the function whose messages are
  Started& new_receive();
  void begin(Started& started);
  void complete(std::vector<std::pair<std::int64_t, const std::int64_t*>> requests);
  void complete_some(std::size_t indices, std::size_t states);
  void settle(Started& started, const std::int64_t* state);
  void collective(Collective kind, std::int64_t comm, Bytes size, std::int64_t root = 0,
                  std::vector<std::uint64_t> sizes = {});

  const DumpiFile& file_;
  const DumpiCommunicators& all_;
  int rank_;
  const DumpiCall* call_ = nullptr;
  bool begun_ = false;
  Seconds last_;                                               // when the rank last returned from MPI
  std::map<std::int64_t, std::optional<std::size_t>> known_{}; // communicators by number
  std::set<std::int64_t> copies_of_self_;
  std::size_t made_ = 0; // how many calls have made communicators
  std::unordered_map<std::int64_t, Started> requests_;
  std::uint64_t started_ = 0;
  std::deque<Entry> queue_;
  std::uint64_t taken_ = 0; // entries that were ever taken from the queue
  DumpiGaps gaps_;
  std::string fault_;
};

} // namespace kakehashi
