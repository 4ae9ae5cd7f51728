// What a run found, as plain values that every report format prints.
#pragma once

#include "model/scenario.hpp"
#include "result/summary.hpp"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace kakehashi {

// One line of a benchmark's table.
struct SizeRow {
  Bytes size;
  int repetitions = 0;
  Seconds t_min; // over the ranks, of what the benchmark prints as its time
  Seconds t_max;
  Seconds t_avg;
  double bandwidth = 0;                           // the benchmark's MB/s; 0 if it prints none
  std::string algorithm;                          // of a collective operation
  std::optional<std::array<int, 2>> slowest_step; // of a ring: from that rank to that one
  std::optional<double> measured;                 // us or MB/s, as the reference's metric says
  std::optional<double> error;                    // (predicted - measured) / measured
};

// |error| over the rows that have one.
struct ErrorSummary {
  std::size_t points = 0;
  double mean = 0;
  double worst = 0;
  Bytes worst_size;
};
std::optional<ErrorSummary> summarise(std::span<const SizeRow> rows, Bytes from = {});

// The predicted value that is compared with a measured one of that metric.
double value_of(const SizeRow& row, Metric metric);

// Fills measured and error from a curve.
void compare_with(const Curve& curve, std::span<SizeRow> rows);

struct BenchmarkRecord {
  Benchmark benchmark;
  std::vector<SizeRow> rows;
};

struct StepsRecord {
  std::vector<Seconds> finish; // of each rank
};

struct ReplayRecord {
  std::string file;            // of the trace
  std::vector<Seconds> finish; // of each rank
};

struct WorkRow {
  std::uint64_t work_item = 0;
  std::size_t items = 0; // that were done
  Seconds time;          // from the boss's first message to its last
  double items_per_second() const { return static_cast<double>(items) / time.value; }
};
struct BossWorkerRecord {
  std::vector<WorkRow> rows;
};

// A parameter of the platform that the run used, and where it comes from.
struct ParameterSource {
  std::string place; // JSON pointer in the platform file
  Source source;
};

struct ReferenceUse {
  std::string file;
  Metric metric = Metric::time;
  CurveUse use = CurveUse::prediction;
};

// What runs found whose simultaneous events were put in different orders.
struct Spread {
  Seconds median;
  Seconds least;
  Seconds greatest;
};
struct Repeats {
  int runs = 0;
  std::vector<Spread> spreads; // of each row's t_avg, or of the time at which the last rank ends
};

using RunOutcome = std::variant<BenchmarkRecord, StepsRecord, BossWorkerRecord, ReplayRecord>;

struct RunRecord {
  std::string scenario;
  std::string scenario_file;
  std::string platform;
  std::string platform_file;
  std::string fabric;
  std::vector<std::string> ranks;  // device names
  std::string engine;              // name and version
  std::optional<double> tolerance; // of the fluid engine, a part of one
  std::size_t messages = 0;        // simulated
  Seconds duration;                // simulated, until the last rank ended
  RunOutcome outcome;
  std::optional<ReferenceUse> reference;
  std::vector<ParameterSource> sources;
  std::optional<Repeats> repeats;
  std::optional<RunSummary> summary;
};

} // namespace kakehashi
