// A rank, and its MPI library beside it: nonblocking collective calls are programs of their own that advance when the
// rank's operations leave time for them.
//
// With MpiProgress::inside_calls, the rank's core does their work inside calls, and they stand still while the rank
// works. With hardware or a thread, another core does their work at any time. A thread also receives for the rank.
#pragma once

#include "model/mpi_settings.hpp"
#include "workload/program.hpp"

#include <memory>
#include <vector>

namespace kakehashi {

class SidePrograms {
public:
  SidePrograms(Rank& rank, MpiProgress progress) : rank_(rank), progress_(progress) {}

  // Starts the program that `make` returns for a rank of its own, and runs it until it has to wait.
  template <class Make> Program start(std::uint64_t key, Make make) {
    auto& side = *sides_.emplace_back(std::make_unique<Side>(key, rank_));
    side.program.emplace(make(side.rank));
    side.rank.resume_point = side.program->handle();
    co_await go_on(side);
  }

  // Whether the rank can simply perform its own operations.
  bool are_idle() const { return sides_.empty() && progress_ != MpiProgress::thread; }
  // Performs an operation of the rank itself to its end. `result`: the request that it started, or the one of several
  // that ended.
  Program perform(Operation operation, Request& result);

  // Waits until one of the requests has ended, or one of the programs, whose key is then in `over`. There must be a
  // request or a program.
  Program wait_for_any(std::vector<Request> requests, Request& ended, std::optional<std::uint64_t>& over);

  bool empty() const { return sides_.empty(); }
  Program finish(std::uint64_t key); // waits for the program with this key, if there is one
  Program finish_first();            // waits for the oldest program; there must be one

private:
  struct Awaited {
    std::vector<Request> requests;
    bool any = false;
    bool take(Request ended); // returns whether the request is in the list and removes it; with `any`, removes all
  };
  struct Side {
    Side(std::uint64_t name, const Rank& of) : key(name), rank(of.id, of.size) { rank.kind = of.kind; }
    std::uint64_t key;
    Rank rank;
    std::optional<Program> program;
    Awaited awaited; // empty: the program has ended
  };

  bool works_aside() const { return progress_ != MpiProgress::inside_calls; }
  std::vector<Operation> parts_of(const Operation& operation) const;
  Program begin(Operation operation, Awaited& awaited, PendingOperation& result);
  Program go_on(Side& side);
  Program see_what_ended();
  Program wait_for(Awaited& awaited, Request& last);
  Program finish_at(std::size_t index);
  std::optional<std::uint64_t> take_over(); // removes a program that has ended and returns its key

  Rank& rank_;
  MpiProgress progress_;
  std::vector<std::unique_ptr<Side>> sides_; // the oldest first
};

// The rank works for that time. With a thread, its core is free for messages meanwhile.
inline Program work(Rank& rank, Seconds time, MpiProgress progress) {
  if (progress == MpiProgress::thread) {
    const auto request = co_await rank.icompute(time);
    co_await rank.wait(request);
  } else {
    co_await rank.compute(time);
  }
}

} // namespace kakehashi
