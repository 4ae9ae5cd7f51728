// Candidates of a sweep → the outcome of each, without a new run for known ones.
#pragma once

#include "result/sweep_record.hpp"
#include "study/pool/team.hpp"
#include "study/run/run.hpp"
#include "study/sweep/candidates.hpp"

#include <map>

namespace kakehashi {

using Outcomes = std::map<std::string, Outcome>; // by the candidates' keys

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
  std::optional<Seconds> most_time; // for one candidate
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

} // namespace kakehashi
