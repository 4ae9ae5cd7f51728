// The result of a run, as plain values that every report format prints.
#pragma once

#include "model/scenario.hpp"
#include "result/counts.hpp"
#include "result/likely_range.hpp"
#include "result/summary.hpp"
#include "result/table.hpp"

#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

namespace kakehashi {

// The measured value for a row of the table, and how far the prediction is from it.
struct MeasuredValue {
  Bytes size;
  std::optional<double> measured; // us or MB/s, as the reference's metric says
  std::optional<double> error;    // (predicted - measured) / measured
};

// |error| over the sizes that have one.
struct ErrorSummary {
  std::size_t points = 0;
  double mean = 0;
  double worst = 0;
  Bytes worst_size;
};
std::optional<ErrorSummary> summarise(std::span<const MeasuredValue> values, Bytes from = {});

// The predicted value that is compared with a measured one of that metric.
double value_of(const Figures& figures, Metric metric);

// The measured value for each of the table's figures.
std::vector<MeasuredValue> compare_with(const Curve& curve, std::span<const Figures> figures);

// Between what measured values most likely lie.
struct LikelyRange {
  double low = 0; // us or MB/s
  double high = 0;
};
LikelyRange range_of(const Figures& figures, Metric metric, LikelyFactors factors);

// A parameter of the platform that the run used, and where it comes from.
struct ParameterSource {
  std::string place; // JSON pointer in the platform file
  Source source;
  static constexpr auto fields(auto& self) {
    auto& [place, source] = self;
    return std::tie(place, source);
  }
};

struct ReferenceUse {
  std::string file;
  Metric metric = Metric::time;
  CurveUse use = CurveUse::prediction;
};

// The spread of runs whose simultaneous events were put in different orders.
struct Spread {
  Seconds median;
  Seconds least;
  Seconds greatest;
};
struct Repeats {
  int runs = 0;
  std::vector<Spread> spreads; // of the t_avg of each of the table's figures
};

inline constexpr std::size_t checked_rounds = 256;

// A row whose ranks stay in step without noise, and take another time with a little of it.
struct OutOfStep {
  Bytes size;
  double noise = 0;         // a part of one
  double times_as_long = 1; // with it, in the first rounds
  bool with_noise = false;  // that is printed, not the time in step
  int iterations = 0;       // whose mean it is; 0: those of the benchmark
  static constexpr auto fields(auto& self) {
    auto& [size, noise, times_as_long, with_noise, iterations] = self;
    return std::tie(size, noise, times_as_long, with_noise, iterations);
  }
};

struct RunRecord {
  std::string scenario;
  std::string scenario_file;
  std::string platform;
  std::string platform_file;
  std::string fabric;
  std::vector<std::string> ranks;  // device names
  std::string engine;              // name and version, and what ranks stand for all
  std::size_t rounds_left_out = 0; // of loops that have settled, by each rank
  std::vector<OutOfStep> out_of_step;
  std::optional<double> tolerance;  // of the fluid engine, a part of one
  std::vector<std::string> what_if; // what was changed of the machine or the program, a line each
  std::size_t messages = 0;         // simulated
  Seconds duration;                 // simulated, until the last rank ended
  EngineCounts counts;
  Table table;
  std::optional<ReferenceUse> reference;
  std::vector<MeasuredValue> measured; // for each row, if there is a reference
  AssumedRules assumed = AssumedRules::all;
  std::vector<LikelyFactors> likely; // for each of the table's figures
  bool shows_range = false;          // tables do; JSON and pages always
  std::vector<ParameterSource> sources;
  std::optional<Repeats> repeats;
  std::optional<RunSummary> summary;
};

// What is compared with measured values: as the reference does, or as the table shows.
Metric metric_of(const RunRecord& record);
// Of the table's figures. What the last rank computes in an application is certain, as far as a summary has it.
LikelyRange range_of(const RunRecord& record, std::size_t figure);

} // namespace kakehashi
