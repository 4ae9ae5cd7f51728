// A run → whether it agrees with a curve or claim: errors against targets, figures against bounds.
#pragma once

#include "model/catalogue.hpp"
#include "result/record.hpp"
#include "result/validation.hpp"
#include "study/explain/explanations.hpp"
#include "study/pool/pool.hpp"

#include <span>
#include <tuple>

namespace kakehashi {

// The errors of the predictions for a curve.
struct CurveErrors {
  std::size_t points = 0;
  double mean = 0;
  double worst = 0;
  Bytes worst_size;
  double worst_but_outliers = 0;
  static constexpr auto fields(auto& self) {
    auto& [points, mean, worst, worst_size, worst_but_outliers] = self;
    return std::tie(points, mean, worst, worst_size, worst_but_outliers);
  }
};

// `record` is a run of the curve's scenario.
Result<CurveErrors> errors_of(const RunRecord& record, const ReferenceCase& item);
void judge(ValidationRow& row, const std::optional<Target>& target, const CurveErrors& errors);

// Returns the claimed number of a run; over several sizes their geometric mean. There must be at least one size.
double number_of(const RunRecord& record, Claim::Number number);
// Returns the claim's value from the numbers of its runs; not for a crossover.
double value_of(const Claim& claim, std::span<const double> numbers);
// Returns the largest size up to which the first run takes less time: the one before the first crossover. Without a
// crossover it is the largest size, or nothing.
Result<double> crossover_of(const ClaimCase& item, int jobs);
bool is_crossover(const ClaimCase& item);
// Whether it takes minutes, with thousands of ranks.
bool is_large(const ClaimCase& item);
void judge(ValidationRow& row, const Claim& claim, double value);

// Return rows with everything that is known before a run.
ValidationRow row_of(const ReferenceCase& item);
ValidationRow row_of(const ClaimCase& item, bool large);

// The lines of the score, and the runs that they need, perhaps with some numbers of the platform scaled. Equal runs
// happen only once.

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
  std::vector<Parameters> parameters; // parameters of each unit, if any are to be changed
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
  std::vector<std::size_t> ranks_; // ranks of each task
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

// A catalogue → the score of every curve and claim, each simulated in a process of its own; and the effect of halving
// and doubling each number of the platforms.

// `large` includes claims of thousands of ranks, which take most of the time; otherwise these are pending.
Validation validate(const Catalogue& catalogue, bool large, int jobs, const Team* team, const StudyProgress& progress);

// The numbers to vary: all of them; or only as many as it takes to find faults. These are the numbers whose sources
// name a line and the combination that the line names; if they do not turn the line's verdict, all numbers.
enum class Depth { everything, faults };

// Checks whether each line's declared role is the one that its numbers show. Lines that cannot run have no effects.
// Faults of a line: no role is declared, another one is found, or the line passes and nothing turns its verdict.
Sensitivity sensitivity(const Catalogue& catalogue, bool large, Depth depth, int jobs, const Team* team,
                        const StudyProgress& progress);

} // namespace kakehashi
