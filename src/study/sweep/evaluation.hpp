// Candidates of a sweep → what running each gives, known ones without running them again.
#pragma once

#include "result/sweep_record.hpp"
#include "study/run/run.hpp"
#include "study/sweep/candidates.hpp"
#include "study/run/team.hpp"

#include <map>

namespace kakehashi {

using Outcomes = std::map<std::string, Outcome>; // by the candidates' keys

// How each candidate is run: with the sweep's files, all that its outcome depends on.
struct CandidateRun {
  EngineOptions engine;
  bool reasons = true; // finds out what limits each candidate
  static constexpr auto fields(auto& self) {
    auto& [engine, reasons] = self;
    return std::tie(engine, reasons);
  }
};

// Equal for equal outcomes of all candidates.
std::uint64_t fingerprint_of(const Sweep& sweep, const CandidateRun& how);

struct EvaluationOptions {
  int jobs = 1;
  CandidateRun each;
  const Team* team = nullptr;
  // Called for each candidate that was run, as soon as it has ended, and not for known ones.
  std::function<void(const Candidate&, const Outcome&)> settled;
  std::optional<Seconds> most_time; // of one candidate
  std::function<bool()> goes_on;    // asked some times a second while candidates run; they are ended once it says no
};

class Evaluator {
public:
  Evaluator(const Sweep& sweep, Outcomes known, EvaluationOptions options)
      : sweep_(sweep), known_(std::move(known)), options_(std::move(options)) {}

  // In the order of the candidates, whatever the number of jobs and processes is. None: it was not run to its end.
  std::vector<std::optional<Outcome>> run(std::span<const Candidate> candidates);
  const Outcome* known(const Candidate& candidate) const;

private:
  const Sweep& sweep_;
  Outcomes known_;
  EvaluationOptions options_;
};

} // namespace kakehashi
