// The result of a sweep: every candidate that was run, ranked, and how the search went.
#pragma once

#include "model/sweep.hpp"
#include "result/launch.hpp"
#include "result/outcome.hpp"

#include <span>

namespace kakehashi {

struct SweepPoint {
  std::size_t variant = 0;
  std::vector<std::size_t> devices; // of each rank
  bool is_default = false;
  Outcome outcome;
};

enum class SweepMethod { exhaustive, search };

struct SweepRecord {
  std::string scenario;
  std::string scenario_file;
  std::shared_ptr<const Platform> platform;
  std::string fabric;
  std::string engine; // that ran the candidates, and its tolerance
  Objective objective = Objective::time;
  std::string rate_name; // "MB/s", "items/s"; empty: there is none
  std::vector<std::string> fields;
  std::vector<std::vector<std::string>> values; // of the fields, for each variant
  bool has_placement = false;
  std::vector<SweepPoint> points; // the best first; those that failed last
  std::size_t failed = 0;
  std::size_t lost = 0; // of those: for a fault of the system

  SweepMethod method = SweepMethod::exhaustive;
  double candidates = 0;    // in all
  std::size_t distinct = 0; // exhaustive: after symmetry
  std::size_t pruned = 0;   // by the bound
  std::size_t not_run = 0;  // of the distinct ones: belong to other shards
  std::uint64_t seed = 0;   // search
  std::string stopped;      // why a search ended, or anything before all were run
  bool is_interrupted = false;
  std::optional<double> gap; // by how much the best may be worse than the optimum, proven; 0 after all were run

  std::optional<NearestLaunch> nearest; // to the best, if it is of sockets

  // The smaller, the better.
  double score(const SweepPoint& point) const {
    return objective == Objective::time ? point.outcome.time.value : -point.outcome.rate;
  }
};

// Those that did not fail, the best first.
std::span<const SweepPoint> that_ran(const SweepRecord& record);
// The scenario as it stands; null if it was not run or failed.
const SweepPoint* default_of(const SweepRecord& record);
// How much better than the default; nothing without one.
std::optional<double> gain(const SweepRecord& record, const SweepPoint& point);

} // namespace kakehashi
