// A sweep → its candidates, one for each class of equal ones.
#pragma once

#include "model/sweep.hpp"
#include "topology/symmetry.hpp"

#include <functional>

namespace kakehashi {

struct Candidate {
  std::size_t variant = 0;
  std::vector<std::size_t> devices; // of each rank
  std::string key;                  // equal candidates have equal keys
};

class CandidateSpace {
public:
  explicit CandidateSpace(const Sweep& sweep); // keeps a reference to the sweep

  // Returns the unchanged scenario, then all others that differ, always in the same order. None: there are more than
  // `most`, it takes too long to find them, or goes_on, which is called now and then, returned false.
  std::optional<std::vector<Candidate>> all(std::size_t most, const std::function<bool()>& goes_on = {}) const;
  // Returns the number of all candidates, with equal ones counted separately.
  double count() const;

  Candidate candidate(std::size_t variant, std::vector<std::size_t> devices) const;
  Candidate default_candidate() const;

  // Calls the visitor with the devices of all ranks for each candidate of a variant; most equal ones are left out.
  // Returns false once the visitor does.
  using Visitor = std::function<bool(const std::vector<std::size_t>& devices)>;
  bool visit(std::size_t variant, const Visitor& visitor) const;

private:
  const Sweep& sweep_;
  std::vector<std::size_t> symmetry_of_variant_;
  std::vector<std::unique_ptr<Topology>> topologies_;
  std::vector<Symmetry> symmetries_;
};

} // namespace kakehashi
