// A candidate → a time that it cannot be faster than, without running it.
//
// For benchmarks whose messages follow from the ranks' places: rings, Sendrecv, Exchange and the 2-D halo. Each rank
// waits for its rendezvous payloads, and for its core; so an iteration lasts at least as long as the longest of either.
#pragma once

#include "model/sweep.hpp"
#include "study/run/run.hpp"
#include "workload/workload.hpp"

namespace kakehashi {

class Bound {
public:
  // For the scenario's devices and those that are offered. Keeps what it needs of them.
  // Exists not if there are thousands of devices, or if goes_on returned false.
  Bound(const Scenario& scenario, const std::optional<Placement>& placement, Objective objective,
        const std::function<bool()>& goes_on = {});

  bool exists() const { return !edges_.empty(); }
  const std::vector<Edge>& edges() const { return edges_; }
  // Of a message between two devices, in the unit of the objective's time: all sizes, or the largest one.
  double of_message(std::size_t from, std::size_t to) const;
  // Of a candidate, from the devices of its ranks.
  double of(std::span<const std::size_t> devices) const;

private:
  std::vector<Edge> edges_;
  std::size_t devices_ = 0;
  std::vector<double> times_; // from device · devices + to device
};

// The least that any placement can have, found by branch and bound, and one that has it.
struct LeastBound {
  double value = 0;
  bool is_exact = false;            // else what connects all devices costs at least that
  std::vector<std::size_t> devices; // the best that was met; may be empty
};
LeastBound least_bound(const Bound& bound, const Scenario& scenario, const Placement& placement, std::size_t most_steps,
                       const std::function<bool()>& goes_on = {});

} // namespace kakehashi
