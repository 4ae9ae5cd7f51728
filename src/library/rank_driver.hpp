// A program that a user wrote for include/kakehashi → a program that the engine runs.
#pragma once

#include "kakehashi/run.hpp"
#include "workload/call_order.hpp"
#include "workload/collective/collective.hpp"

#include <exception>
#include <optional>

namespace kakehashi::api {

// State that all ranks of a run share.
struct SharedState {
  kakehashi::CallOrder calls;
  std::exception_ptr thrown; // by a program; it ends the run
};

// It must outlive the program that drive() returns.
class RankDriver {
public:
  RankDriver(kakehashi::Rank& engine, kakehashi::Communicator world, SharedState& shared)
      : engine_(engine), world_(world), shared_(shared), rank_(engine.id, engine.size, state_) {}

  RankDriver(const RankDriver&) = delete; // rank_ refers to state_
  RankDriver& operator=(const RankDriver&) = delete;

  // Calls the function, and performs its operations one after the other.
  kakehashi::Program drive(const ProgramFunction& function);

private:
  bool advance(); // goes on to the next operation; false if there is none
  std::optional<std::string> fault(const Operation& operation) const;
  kakehashi::Program perform(const Operation& operation);
  kakehashi::Program perform_collective(kakehashi::Collective collective, const Operation& operation);
  kakehashi::Error error(const std::string& text) const;

  kakehashi::Rank& engine_;
  kakehashi::Communicator world_;
  SharedState& shared_;
  RankState state_;
  Rank rank_;
  std::optional<Program> program_;
  std::uint32_t requests_ = 0; // the number of the next request that it starts
};

} // namespace kakehashi::api
