// Programs of ranks on a network → when each rank ends.
//
// A program runs until it asks for an operation; then its rank works (rank_work.hpp) or takes part in messages
// (messages.hpp), and what happens to these resumes it. What is due is handled in order of time.
#pragma once

#include "base/error.hpp"
#include "engine/mpi/messages.hpp"
#include "engine/mpi/rank_work.hpp"
#include "engine/mpi/rounds.hpp"

namespace kakehashi {

class Simulation {
public:
  // Keeps references to what the setting refers to.
  explicit Simulation(Setting setting);
  Simulation(const Simulation&) = delete; // its parts refer to each other

  // Programs may refer to their Rank until the simulation ends. Each rank must have one, once, before the run.
  Rank& rank(int id) { return ranks_[id].view; }
  void set_program(int id, Program program);

  using OperationWatch = std::function<void(int rank, const Operation& operation, std::uint32_t request)>;
  void watch_operations(OperationWatch watch) { operation_begins_ = std::move(watch); }

  // Is called once, when so many messages have ended. At least one.
  using EndsWatch = std::function<void(Seconds now)>;
  void watch_ends(std::size_t messages, EndsWatch watch) {
    watched_end_ = messages;
    ends_watch_ = std::move(watch);
  }

  // Once: runs all programs to their ends. Errors: a deadlock, with the operation in which each rank is stuck, or a
  // message without a way.
  Result<std::vector<Seconds>> run(); // when each rank ended

  Seconds duration() const; // until the last rank ended
  std::size_t stuck() const { return stuck_; }
  const std::optional<Rounds>& rounds() const { return rounds_; }
  std::size_t messages() const { return messages_.sent() + (rounds_ ? rounds_->messages_left_out() : 0); }
  std::size_t requests_at_work() const { return messages_.requests_at_work(); }
  std::size_t events() const { return events_; }
  std::size_t most_connections() const { return messages_.most_connections(); }

private:
  Seconds clock() const { return setting_.network.now() + (rounds_ ? rounds_->time_left_out() : Seconds{}); }
  void handle(Event event);
  void expect(Event event, bool is_next) const;
  void resume(int rank);
  void perform(int rank, Occasion why);
  void compute(RankState& rank, const ComputeOperation& work, Occasion why);
  bool is_wait_for_device(const ComputeOperation& work) const;
  void end(RankState& rank);

  Setting setting_;
  Agenda agenda_;
  RankTable ranks_;
  ChannelSets sets_;
  RankWork work_;
  Messages messages_;
  std::optional<Rounds> rounds_;
  OperationWatch operation_begins_;
  EndsWatch ends_watch_;
  std::size_t watched_end_ = std::numeric_limits<std::size_t>::max();
  std::size_t events_ = 0;
  std::size_t stuck_ = 0;
};

} // namespace kakehashi
