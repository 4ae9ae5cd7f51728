// A program of the user's own, which asks for the operations of include/kakehashi → a program as the engine runs it.
#pragma once

#include "kakehashi/run.hpp"
#include "workload/call_order.hpp"
#include "workload/collective/collective.hpp"

#include <exception>
#include <optional>

namespace kakehashi::api {

// State that the ranks of a run share.
struct SharedState {
  kakehashi::CallOrder calls;
  std::exception_ptr thrown; // by a program; the run ends
};

// Outlives the program that drive() gives.
class RankDriver {
public:
  RankDriver(kakehashi::Rank& engine, kakehashi::Communicator world, SharedState& shared)
      : engine_(engine), world_(world), shared_(shared), rank_(engine.id, engine.size, state_) {}

  RankDriver(const RankDriver&) = delete; // its rank refers to its state
  RankDriver& operator=(const RankDriver&) = delete;

  // Calls the function, and translates one operation after the other.
  kakehashi::Program drive(const ProgramFunction& function);

private:
  bool advance(); // to the next operation; whether there is one
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
  std::uint32_t requests_ = 0; // one more than the last that it has started
};

} // namespace kakehashi::api
