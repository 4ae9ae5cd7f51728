// Candidates of a sweep → the outcome of each, without a new run for known ones.
#pragma once

#include "model/sweep.hpp"
#include "result/sweep_record.hpp"
#include "study/pool/team.hpp"
#include "study/run/scenario_run.hpp"
#include "topology/symmetry.hpp"
#include "workload/workload.hpp"

#include <functional>
#include <map>
#include <random>

namespace kakehashi {

// A sweep → its candidates, one for each class of equal ones.
struct Candidate {
  std::size_t variant = 0;
  std::vector<std::size_t> devices; // devices of each rank
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

// A candidate → a lower bound of its time, without a run.
//
// For benchmarks whose messages follow from the ranks' places: rings, Sendrecv, Exchange and the 2-D halo. Each rank
// waits for its rendezvous payloads and for its core, so an iteration lasts at least as long as the longest of these.
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

// Return what is compared of candidates, the smaller, the better. Noise may shorten the times in a bound.
double score_of(const Outcome& outcome, Objective objective);
double score_of_bound(double bound, const Scenario& scenario, Objective objective, const EngineOptions& engine);

using Outcomes = std::map<std::string, Outcome>; // outcomes by the candidates' keys

// How each candidate is run. With the sweep's files, this is everything on which its outcome depends.
struct CandidateRun {
  EngineOptions engine;
  bool reasons = true; // whether it finds the reason of each candidate's time
  static constexpr auto fields(auto& self) {
    auto& [engine, reasons] = self;
    return std::tie(engine, reasons);
  }
};

// Returns a number that is equal if all candidates have equal outcomes.
std::uint64_t fingerprint_of(const Sweep& sweep, const CandidateRun& how);

struct EvaluationOptions {
  int jobs = 1;
  CandidateRun each;
  const Team* team = nullptr;
  // Is called for each candidate as soon as its run has ended; not for known candidates.
  std::function<void(const Candidate&, const Outcome&)> settled;
  std::optional<Seconds> most_time; // the most time of one candidate
  // Is called some times per second while candidates run; they are ended once it returns false.
  std::function<bool()> goes_on;
};

class Evaluator {
public:
  Evaluator(const Sweep& sweep, Outcomes known, EvaluationOptions options)
      : sweep_(sweep), known_(std::move(known)), options_(std::move(options)) {}

  // Returns outcomes in the order of the candidates, whatever the number of jobs and processes is. None: the
  // candidate's run was ended.
  std::vector<std::optional<Outcome>> run(std::span<const Candidate> candidates);
  const Outcome* known(const Candidate& candidate) const;

private:
  const Sweep& sweep_;
  Outcomes known_;
  EvaluationOptions options_;
};

// A sweep with too many candidates to run all → good ones, found by simulated annealing.
struct AnnealingOptions {
  std::uint64_t seed = 1;
  std::size_t most_runs = 0;
  double enough = 0;                  // a score that cannot be beaten
  std::function<double()> time_spent; // the share of the time that is used, asked between batches; 0: there is no limit
  std::function<std::string()> stopped;           // why the search must end, asked between batches; empty: it may go on
  std::function<double(const SweepPoint&)> score; // the smaller, the better; positive
};

// The candidates that were run, each once, in the order of the search, and why it ended. It begins with `first`. The
// result depends only on the seed and the budget, not on the number of jobs.
struct Annealed {
  std::vector<SweepPoint> points;
  std::string stopped;
};
Annealed anneal(const Sweep& sweep, const CandidateSpace& space, Evaluator& evaluator, std::vector<Candidate> first,
                const AnnealingOptions& options);

} // namespace kakehashi
