// Flows over ways, and the traffic of memories → the bytes that each channel carried.
#pragma once

#include "transport/shift.hpp"
#include "transport/way_table.hpp"

#include <span>
#include <vector>

namespace kakehashi {

class ChannelBytes {
public:
  // Keeps references. shift: null if all ranks are there.
  ChannelBytes(const WayTable& ways, const Shift* shift) : ways_(ways), shift_(shift) {}

  // So many ways are known.
  void learn_ways(std::size_t count);
  // So many bytes flow over each leg of a way's stage, and load the memories at the ends, if they do.
  void add_flow(std::size_t way, std::size_t stage, double bytes, bool loads_memory) {
    auto& sum = flows_[first_[way] + stage];
    (loads_memory ? sum.loading : sum.plain) += bytes;
  }
  // So many on each of these channels.
  void add(std::span<const std::size_t> channels, double each) { add(channels, each, loads_); }

  // All of it, by channel; with a shift that of all ranks.
  std::vector<double> total() const;

private:
  struct Flow {
    double plain = 0;
    double loading = 0;
  };
  void add(std::span<const std::size_t> channels, double each, std::vector<double>& bytes) const;

  const WayTable& ways_;
  const Shift* shift_;
  std::vector<std::size_t> first_; // the first flow of each way, in flows_
  std::vector<Flow> flows_;        // the flows of all stages of each way
  std::vector<double> loads_;      // bytes on channels of no way
};

} // namespace kakehashi
