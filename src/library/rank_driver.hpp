// A program that a user wrote for include/kakehashi → a program that the engine runs.
#pragma once

#include "base/error.hpp"
#include "kakehashi/error.hpp"
#include "kakehashi/run.hpp"
#include "workload/call_order.hpp"
#include "workload/collective/collective.hpp"

#include <exception>
#include <optional>

namespace kakehashi::api {

// State that all ranks of a run share.
struct SharedState {
  kakehashi::CallOrder calls;
  std::exception_ptr thrown; // what a program has thrown; it ends the run
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

// Errors as values → the exception that the library throws.
[[noreturn]] inline void throw_faults(const kakehashi::Errors& errors) {
  std::vector<std::string> faults;
  for (const auto& error : errors)
    faults.push_back(to_text(error));
  throw Error(std::move(faults));
}

template <class T> T value_or_throw(kakehashi::Result<T> result) {
  if (!result)
    throw_faults(result.errors());
  return std::move(*result);
}

} // namespace kakehashi::api
