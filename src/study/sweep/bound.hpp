// A candidate → a lower bound of its time, without a run.
//
// For benchmarks whose messages follow from the ranks' places: rings, Sendrecv, Exchange and the 2-D halo. Each rank
// waits for its rendezvous payloads and for its core, so an iteration lasts at least as long as the longest of these.
#pragma once

#include "model/sweep.hpp"
#include "study/run/run.hpp"
#include "workload/workload.hpp"

namespace kakehashi {

class Bound {
public:
  // For the scenario's devices and the offered ones; it keeps what it needs of them. It does not exist if there are
  // thousands of devices, or if goes_on returned false.
  Bound(const Scenario& scenario, const std::optional<Placement>& placement, Objective objective,
        const std::function<bool()>& goes_on = {});

  bool exists() const { return !edges_.empty(); }
  const std::vector<Edge>& edges() const { return edges_; }
  // Returns the bound for a message between two devices, in the unit of the objective's time: over all sizes, or for
  // the largest one.
  double of_message(std::size_t from, std::size_t to) const;
  // Returns the bound for a candidate, from the devices of its ranks.
  double of(std::span<const std::size_t> devices) const;

private:
  std::vector<Edge> edges_;
  std::size_t devices_ = 0;
  std::vector<double> times_; // index: from device · devices + to device
};

// The least bound of any placement, found by branch and bound, and a placement that has it.
struct LeastBound {
  double value = 0;
  bool is_exact = false;            // false: the value is only the least cost of connecting all devices
  std::vector<std::size_t> devices; // the best placement that was found; may be empty
};
LeastBound least_bound(const Bound& bound, const Scenario& scenario, const Placement& placement, std::size_t most_steps,
                       const std::function<bool()>& goes_on = {});

} // namespace kakehashi
