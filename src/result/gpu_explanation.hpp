// Why calls of NCCL or RCCL take their time, what would change that, and what a log of nccl-tests shows.
#pragma once

#include "model/gpu_candidate.hpp"
#include "result/log_explanation.hpp"

namespace kakehashi {

struct ExplainedGpuCall {
  Bytes size;
  GpuTime time;
  std::vector<GpuCandidate> candidates; // all algorithms with all protocols; none for sends and receives
};

// The same calls with something changed.
struct GpuWhatIf {
  std::string kind; // its name in JSON and CSV
  std::string what; // its description for people
  std::vector<GpuTime> times;
  std::string refusal; // why the library would not run them; then there are no times
};

struct GpuExplanation {
  std::string scenario;
  std::string benchmark;
  GpuOperation operation = GpuOperation::allreduce;
  std::string platform;
  std::string library; // its name and release
  std::size_t ranks = 0;
  std::size_t nodes = 0;
  int channels = 0;
  double inside = 0; // GB/s of all channels inside nodes and between them, as the library's search counts
  double between = 0;
  BytesPerSecond link_limit;     // the bus bandwidth of a ring whose data had all of the links' rate
  std::vector<std::string> ways; // of the first channels
  std::vector<ExplainedGpuCall> calls;
  std::vector<GpuWhatIf> what_ifs;
  std::vector<std::string> notes; // what is assumed
};

struct GpuLogRow {
  Bytes size;
  Seconds measured;
  GpuTime expected;
};

struct GpuLogTable {
  std::string name;
  std::string benchmark;
  GpuOperation operation = GpuOperation::allreduce;
  std::vector<GpuLogRow> rows;
  double error = 0; // mean |ln(expected / measured)|
};

struct GpuLogExplanation {
  std::string platform;
  std::string library;
  std::size_t ranks = 0;
  std::vector<GpuLogTable> tables;
  double error = 0;               // of the platform without a fault: the mean of its tables
  std::vector<TriedFault> faults; // those with the least error, the best first
  std::size_t equal = 0;          // the number of faults that fit as well as the first, including it
  bool is_explained = false;      // the first fault explains the logs clearly better than no fault
  std::vector<std::string> notes;
};

} // namespace kakehashi
