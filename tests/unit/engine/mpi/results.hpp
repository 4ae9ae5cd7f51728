// What tests ask of a run's table.
#pragma once

#include "result/record.hpp"
#include "study/run/scenario_run.hpp"

#include <gtest/gtest.h>

namespace kakehashi {

// Runs a scenario without tolerance on both engines, on which what is measured in us is the same; 0: a run fails.
template <class Measure> double on_both_engines(const Scenario& scenario, Measure measure) {
  std::vector<double> found;
  for (const auto kind : {EngineKind::simgrid, EngineKind::fluid}) {
    const auto record = run(scenario, nullptr, {.kind = kind, .tolerance = 0});
    if (!record) {
      ADD_FAILURE() << to_text(record.errors()[0]);
      return 0;
    }
    found.push_back(in_microseconds(measure(*record)));
  }
  EXPECT_NEAR(found[0], found[1], 1e-3);
  return found[0];
}

// When each rank ends, from a table of ranks.
inline std::vector<Seconds> ends_of(const RunRecord& record) {
  std::vector<Seconds> ends;
  for (std::size_t rank = 0; rank < record.table.rows.size(); ++rank)
    ends.push_back(microseconds(std::get<double>(cell(record.table, rank, "end_us"))));
  return ends;
}

inline std::string algorithm_of(const RunRecord& record) {
  return std::get<std::string>(cell(record.table, 0, "algorithm"));
}

} // namespace kakehashi
