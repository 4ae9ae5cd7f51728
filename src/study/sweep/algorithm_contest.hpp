// A benchmark of a collective operation → the same with each of the operation's algorithms, and what its library takes.
#pragma once

#include "study/sweep/comparison.hpp"

namespace kakehashi {

struct AlgorithmContest {
  std::vector<Contender> contenders; // named after the algorithm and its parameters
  std::string library;               // as files call it
  std::vector<std::string> left_out; // algorithms, and why
  std::vector<std::string> settings; // of the contenders: what makes the library take each; empty: it does not have it
  std::vector<std::string> taken;    // by the library at each size of the benchmark: names of contenders, or "none"
};

// names: of algorithms; empty: all that the ranks' places allow. Where the library takes one with parameters, such as
// segments, that is a contender of its own. Errors: no collective operation, or an algorithm that it does not have or
// that these places do not allow.
Result<AlgorithmContest> algorithm_contest(const Scenario& scenario, const std::vector<std::string>& names);

} // namespace kakehashi
