// What a rank does, and beside it its MPI library: nonblocking collective calls, each a program of its own that the
// rank's operations leave time for.
//
// Inside calls the rank's core does it all, and nothing goes on while the rank works. With hardware or a thread another
// core does what these programs ask for, at any time. A thread receives for the rank, too.
#pragma once

#include "model/collective.hpp"
#include "workload/program.hpp"

#include <memory>
#include <vector>

namespace kakehashi {

class SidePrograms {
public:
  SidePrograms(Rank& rank, MpiProgress progress) : rank_(rank), progress_(progress) {}

  // Begins the program that `make` gives for a rank of its own, as far as it goes without waiting.
  template <class Make> Program start(std::uint64_t key, Make make) {
    auto& side = *sides_.emplace_back(std::make_unique<Side>(key, rank_));
    side.program.emplace(make(side.rank));
    side.rank.resume_point = side.program->handle();
    co_await go_on(side);
  }

  // Whether the rank may as well perform its operations itself.
  bool are_idle() const { return sides_.empty() && progress_ != MpiProgress::thread; }
  // An operation of the rank's own, to its end. result: the request that it started, or which of several ended.
  Program perform(Operation operation, Request& result);

  // Until one of the requests has ended, or one of the programs, whose key is then in `over`. There must be either.
  Program wait_for_any(std::vector<Request> requests, Request& ended, std::optional<std::uint64_t>& over);

  bool empty() const { return sides_.empty(); }
  Program finish(std::uint64_t key); // waits for the one that is known by it, if there is one
  Program finish_first();            // for the oldest that nobody has waited for; there must be one

private:
  struct Awaited {
    std::vector<Request> requests;
    bool any = false;
    bool take(Request ended); // whether it is one of them; if any does, they all go
  };
  struct Side {
    Side(std::uint64_t name, const Rank& of) : key(name), rank(of.id, of.size) { rank.kind = of.kind; }
    std::uint64_t key;
    Rank rank;
    std::optional<Program> program;
    Awaited awaited; // nothing: it is over
  };

  bool works_aside() const { return progress_ != MpiProgress::inside_calls; }
  std::vector<Operation> parts_of(const Operation& operation) const;
  Program begin(Operation operation, Awaited& awaited, PendingOperation& result);
  Program go_on(Side& side);
  Program see_what_ended();
  Program wait_for(Awaited& awaited, Request& last);
  Program finish_at(std::size_t index);
  std::optional<std::uint64_t> take_over(); // a program that is over, which is gone then

  Rank& rank_;
  MpiProgress progress_;
  std::vector<std::unique_ptr<Side>> sides_; // the oldest first
};

// The rank works so long; its core is free for messages meanwhile if a thread has another one.
inline Program work(Rank& rank, Seconds time, MpiProgress progress) {
  if (progress == MpiProgress::thread) {
    const auto request = co_await rank.icompute(time);
    co_await rank.wait(request);
  } else {
    co_await rank.compute(time);
  }
}

} // namespace kakehashi
