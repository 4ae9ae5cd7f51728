// The lines of the score, and the runs that they need, perhaps with some numbers of the platform scaled. Equal runs
// happen only once.
#pragma once

#include "result/sensitivity.hpp"
#include "study/explain/variation.hpp"
#include "study/pool/pool.hpp"
#include "study/score/score.hpp"

namespace kakehashi {

using Changes = std::vector<Change>;

// The figures of one run, for any line that uses it.
struct RunFigures {
  double time = 0; // us; for a crossover its size
  double rate = 0;
  CurveErrors errors;
  std::vector<double> predicted; // at the sizes of a curve
  static constexpr auto fields(auto& self) {
    auto& [time, rate, errors, predicted] = self;
    return std::tie(time, rate, errors, predicted);
  }
};

// A curve or claim. Each of its runs is a unit; a crossover, which seeks among many runs, is one unit.
struct ScoredLine {
  const ReferenceCase* curve = nullptr;
  const ClaimCase* claim = nullptr;
  SensitivityRow row;
  std::vector<Parameters> parameters; // of each unit, if any are to be changed
};

// Returns a line for each curve and claim. A line with a reason is not to be run.
std::vector<ScoredLine> lines_of(const Catalogue& catalogue, bool large);
// Returns the scenarios that the line compares.
std::vector<const Scenario*> scenarios_of(const ScoredLine& line);
bool is_crossover(const ScoredLine& line);

// The runs of a line with some changes, as indices into Runs.
using Wanted = std::vector<std::size_t>;

// The runs that lines want, each of them once.
class Runs {
public:
  // Wants a run for each unit, with the changes on which it may depend. The changes' parameters must live until run().
  Wanted want(const ScoredLine& line, const Changes& changes);
  void run(int jobs, const Team* team, const StudyProgress& progress);

  const Result<RunFigures>& operator[](std::size_t run) const { return results_[run]; }
  std::size_t count() const { return tasks_.size(); }

private:
  std::size_t want(const ScoredLine& line, std::size_t unit, const Changes& changes);
  std::size_t number_of_scenario(const Scenario& scenario);

  std::vector<const Scenario*> scenarios_;
  std::map<std::string, std::size_t> known_;
  std::vector<Task<RunFigures>> tasks_;
  std::vector<std::size_t> ranks_; // of each task
  std::vector<Result<RunFigures>> results_;
};

// The numbers of a line once its runs are done.
struct LineNumbers {
  double value = 0;
  std::vector<double> predicted;
  Verdict verdict = Verdict::fail;
};

// Also judges the row. Returns none if one of the runs failed.
std::optional<LineNumbers> outcome_of(const ScoredLine& line, const Runs& runs, const Wanted& wanted,
                                      ValidationRow& row);

} // namespace kakehashi
