// The fields of a benchmark in a scenario. The table of src/workload/benchmark defines its names.
#pragma once

#include "base/units.hpp"

#include <optional>
#include <string>
#include <vector>

namespace kakehashi {

struct Benchmark {
  std::string name = "imb-pingpong";
  std::vector<Bytes> sizes;       // one, of 0 B, if the benchmark has none
  std::optional<int> repetitions; // none: as the benchmark itself chooses by size
  int warm_up = 1;                // iterations before them that do not count
  int window = 64;                // osu-bw, osu-bibw
  int columns = 1;                // halo-2d: of the grid; the rows follow from the number of ranks
  std::optional<int> root;        // none: as the benchmark does: IMB another one each time, OSU rank 0
  double megabyte = 1e6;          // bytes in the MB of a printed MB/s; IMB before 2019 means 2^20
};

// The form of a test between two ranks, for calibration. One way: half a round trip. Sendrecv: both ends send and
// receive at once. Exchange: both send two and receive two. Window: many messages in flight, then an answer.
enum class TestForm { one_way, sendrecv, exchange, window, window_both_ways };

} // namespace kakehashi
