// A benchmark of a collective operation → the same benchmark with each of the operation's algorithms, and the library's
// choice.
#pragma once

#include "base/error.hpp"
#include "model/scenario.hpp"
#include "result/comparison.hpp"
#include "study/pool/pool.hpp"

namespace kakehashi {

// The same workload on several fabrics or platforms → the winner at each size, its margin and the reason.
struct Contender {
  std::string name;
  Scenario scenario;
};

// All have the same workload. If winners change between two sizes, it seeks the size at which they do: the first one,
// or the first multiple of what fabrics' alignments ask for. With Crossovers::between_sizes it does not seek: a winner
// counts from the first size of the workload at which it wins.
enum class Crossovers { sought, between_sizes };
Result<Comparison> compare(const std::vector<Contender>& contenders, int jobs, const StudyProgress& progress,
                           Crossovers crossovers = Crossovers::sought);

struct AlgorithmContest {
  std::vector<Contender> contenders; // named after the algorithm and its parameters
  std::string library;               // its name in files
  std::vector<std::string> left_out; // each algorithm that is left out, and the reason
  // For each contender, the setting that makes the library use it; empty: the library does not have it.
  std::vector<std::string> settings;
  std::vector<std::string> taken; // the library's choice at each size of the benchmark: names of contenders, or "none"
};

// `names` are those of algorithms, `own` algorithms of the user's files; both empty: all that the ranks' places allow.
// If the library uses an algorithm with parameters, such as segments, this is a contender of its own. Errors: the
// benchmark is no collective operation; the operation does not have an algorithm, or the places do not allow it.
Result<AlgorithmContest> algorithm_contest(const Scenario& scenario, const std::vector<std::string>& names,
                                           const std::vector<std::shared_ptr<const OwnAlgorithm>>& own = {});

} // namespace kakehashi
