// The result of a run, as plain values that every report format prints.
#pragma once

#include "base/units.hpp"
#include "model/mpi_settings.hpp"
#include "model/scenario.hpp"
#include "result/counts.hpp"
#include "result/summary.hpp"
#include "result/table.hpp"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace kakehashi {

// A prediction → the range in which a measured value lies in four of five cases. The range follows from this model's
// errors on machines that nobody tuned it for.

// Tests with similar errors.
enum class TestGroup {
  pair,       // one pair of ranks
  neighbours, // each rank and its neighbours
  bcast,
  reduce,
  allreduce,
  allgather, // also the v-forms
  alltoall,
  other,      // any other collective operation
  gpu,        // a collective of NCCL or RCCL
  application // an application, whatever its sizes and operations
};
TestGroup group_of(Collective collective);

// How many of the rules that a run uses have assumed software costs.
enum class AssumedRules { none, some, all };
inline constexpr std::array<std::string_view, 3> assumed_rules_names{"none", "some", "all"};

// Factors of the predicted time.
struct LikelyFactors {
  double low = 1;
  double high = 1;
};
constexpr double likely_share = 0.8; // the share of measured values that lies between them

// Requires a size of at most largest_size.
LikelyFactors likely_factors(TestGroup group, Bytes size, AssumedRules assumed);

// The measured value for a row of the table, and the error of the prediction.
struct MeasuredValue {
  Bytes size;
  std::optional<double> measured; // us or MB/s, by the reference's metric
  std::optional<double> error;    // (predicted - measured) / measured
};

// Summary of |error| over the sizes that have a measured value.
struct ErrorSummary {
  std::size_t points = 0;
  double mean = 0;
  double worst = 0;
  Bytes worst_size;
};
std::optional<ErrorSummary> summarise(std::span<const MeasuredValue> values, Bytes from = {});

// The predicted value that is comparable with a measured one of that metric.
double value_of(const Figures& figures, Metric metric);

// The measured value for each of the table's figures.
std::vector<MeasuredValue> compare_with(const Curve& curve, std::span<const Figures> figures);

// The range in which measured values most likely lie.
struct LikelyRange {
  double low = 0; // us or MB/s
  double high = 0;
};
LikelyRange range_of(const Figures& figures, Metric metric, LikelyFactors factors);

// A parameter of the platform that the run used, and its source.
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

// The spread of the times of runs that handled simultaneous events in different orders.
struct Spread {
  Seconds median;
  Seconds least;
  Seconds greatest;
};
struct Repeats {
  int runs = 0;
  std::vector<Spread> spreads; // spreads of the t_avg of each of the table's figures
};

inline constexpr std::size_t checked_rounds = 256;

// A row whose ranks stay in step without noise, and whose time changes with a little noise.
struct OutOfStep {
  Bytes size;
  double noise = 0;         // as a share of the time
  double times_as_long = 1; // the factor that noise gives to the time of the first rounds
  bool with_noise = false;  // the printed time is the one with noise
  int iterations = 0;       // the number of iterations whose mean is printed; 0: as many as the benchmark makes
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
  std::vector<std::string> ranks;  // the device of each rank
  std::string engine;              // name and version, and the ranks that stand for all, if some do
  std::size_t rounds_left_out = 0; // rounds of settled loops that each rank left out
  std::vector<OutOfStep> out_of_step;
  std::optional<double> tolerance;  // tolerance of the fluid engine, as a share
  std::vector<std::string> what_if; // what the user changed of the machine or the program, one line each
  std::size_t messages = 0;         // number of messages that were simulated
  Seconds duration;                 // simulated time until the last rank ended
  EngineCounts counts;
  Table table;
  std::optional<ReferenceUse> reference;
  std::vector<MeasuredValue> measured; // one value a row, if there is a reference
  AssumedRules assumed = AssumedRules::all;
  std::vector<LikelyFactors> likely; // one pair for each of the table's figures
  bool shows_range = false;          // whether tables show the likely ranges; JSON and pages always do
  std::vector<ParameterSource> sources;
  std::optional<Repeats> repeats;
  std::optional<RunSummary> summary;
};

// The metric of the reference, or else the one that the table shows.
Metric metric_of(const RunRecord& record);
// The likely range of one of the table's figures. Computation of an application's last rank counts as certain, if a
// summary shows how much there is.
LikelyRange range_of(const RunRecord& record, std::size_t figure);

} // namespace kakehashi
