// A sweep → its candidates, each class of equal ones once.
#pragma once

#include "model/sweep.hpp"
#include "topology/symmetry.hpp"

#include <functional>

namespace kakehashi {

struct Candidate {
  std::size_t variant = 0;
  std::vector<std::size_t> devices; // of each rank
  std::string key;                  // equal candidates have the same
};

class CandidateSpace {
public:
  explicit CandidateSpace(const Sweep& sweep); // keeps a reference

  // The scenario as it stands, then all others that differ, always in the same order; none if there are more than that,
  // if to find them takes too long, or if goes_on, which is called now and then, returned false.
  std::optional<std::vector<Candidate>> all(std::size_t most, const std::function<bool()>& goes_on = {}) const;
  // All, equal ones counted too.
  double count() const;

  Candidate candidate(std::size_t variant, std::vector<std::size_t> devices) const;
  Candidate default_candidate() const;

  // Calls for the devices of every rank of a variant, most of the equal ones left out; returns false once the visitor
  // does.
  using Visitor = std::function<bool(const std::vector<std::size_t>& devices)>;
  bool visit(std::size_t variant, const Visitor& visitor) const;

private:
  const Sweep& sweep_;
  std::vector<std::size_t> symmetry_of_variant_;
  std::vector<std::unique_ptr<Topology>> topologies_;
  std::vector<Symmetry> symmetries_;
};

} // namespace kakehashi
