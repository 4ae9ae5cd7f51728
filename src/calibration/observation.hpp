// An input of calibration: a measured curve, its test, and the path that the test used.
#pragma once

#include "model/benchmark.hpp"
#include "model/curve.hpp"
#include "model/platform.hpp"

#include <vector>

namespace kakehashi {

constexpr bool is_window(TestForm form) {
  return form == TestForm::window || form == TestForm::window_both_ways;
}

// The rate of a link whose packets are small.
struct PacketLimit {
  std::string what; // "the pcie link hpc01.cpu1-hpc01.hca with packets of 128 B"
  BytesPerSecond rate;
  std::string field; // the field that states the packets' size
};

struct Observation {
  Curve curve; // times in us, or MB/s of 10^6 B
  TestForm form = TestForm::one_way;
  int window = 64;

  // The path:
  DeviceKind from_kind = DeviceKind::cpu;
  DeviceKind to_kind = DeviceKind::cpu;
  Seconds trip;                             // one latency, one way
  std::optional<Bytes> fetched_from;        // the smallest eager size that the adapter fetches from memory
  Seconds fetch;                            // time of the fetch
  std::optional<BytesPerSecond> narrowest;  // capacity of the route
  std::size_t path_class = 0;               // the index of the fabric's rule; paths of one class share caps and setups
  std::string path_name;                    // name of the class, for reports
  std::string limit_place;                  // where the platform may state the limit of the path's rate; empty: unknown
  std::optional<PacketLimit> small_packets; // if it is less than `narrowest`
};

} // namespace kakehashi
