// An input of calibration: a measured curve, the test that it comes from and the path that the test used.
#pragma once

#include "model/benchmark.hpp"
#include "model/curve.hpp"
#include "model/platform.hpp"

#include <vector>

namespace kakehashi {

constexpr bool is_window(TestForm form) {
  return form == TestForm::window || form == TestForm::window_both_ways;
}

// A rate that holds if the packets of a link are small.
struct PacketLimit {
  std::string what; // "the pcie link hpc01.cpu1-hpc01.hca with packets of 128 B"
  BytesPerSecond rate;
  std::string field; // that states it
};

struct Observation {
  Curve curve; // times in us, or MB/s of 10^6 B
  TestForm form = TestForm::one_way;
  int window = 64;

  // the path
  DeviceKind from_kind = DeviceKind::cpu;
  DeviceKind to_kind = DeviceKind::cpu;
  Seconds trip;                            // one one-way latency
  std::optional<Bytes> fetched_from;       // first eager size that the adapter fetches from memory
  Seconds fetch;                           // the time of that
  std::optional<BytesPerSecond> narrowest; // capacity of the route
  std::size_t path_class = 0;              // paths of one class share caps and setups: the index of the fabric's rule
  std::string path_name;                   // of the class, for reports
  std::string limit_place;                 // where the platform may state what limits the path's rate; empty: unknown
  std::optional<PacketLimit> small_packets; // less than narrowest
};

} // namespace kakehashi
