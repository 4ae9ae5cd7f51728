// The fields of a benchmark in a scenario. The table of src/workload/benchmark defines its names.
#pragma once

#include "model/gpu_call.hpp"

#include <optional>
#include <string>
#include <vector>

namespace kakehashi {

struct Benchmark {
  std::string name = "imb-pingpong";
  std::vector<Bytes> sizes;       // a benchmark without sizes has one of 0 B
  std::optional<int> repetitions; // none: the benchmark chooses them by size
  int warm_up = 1;                // iterations before the repetitions, which are not counted
  int window = 64;                // osu-bw, osu-bibw
  int columns = 1;                // halo-2d: columns of the grid; the number of ranks gives the rows
  std::optional<int> root;        // none: OSU takes rank 0, IMB another rank in each repetition
  GpuWishes gpu;                  // of a benchmark of GPUs
  double megabyte = 1e6;          // bytes in the MB of a printed MB/s; IMB before 2019 means 2^20
};

// The form of a test between two ranks, for calibration. One way: half a round trip. Sendrecv: both ends send and
// receive at once. Exchange: both send two messages and receive two. Window: one end has many messages in flight and
// gets an answer after them.
enum class TestForm { one_way, sendrecv, exchange, window, window_both_ways };

} // namespace kakehashi
