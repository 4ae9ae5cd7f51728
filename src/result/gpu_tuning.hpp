// What to let NCCL or RCCL take for each size, by our model, and the gain over the library's own choice.
#pragma once

#include "model/gpu_candidate.hpp"

#include <vector>

namespace kakehashi {

struct TunedGpuSize {
  Bytes size;
  GpuAlgorithm usual = GpuAlgorithm::ring; // the library's own choice
  GpuProtocol usual_protocol = GpuProtocol::simple;
  Seconds usual_time;
  GpuAlgorithm algorithm = GpuAlgorithm::ring; // the proposed one
  GpuProtocol protocol = GpuProtocol::simple;
  Seconds time;

  bool is_changed() const { return algorithm != usual || protocol != usual_protocol; }
  double gain() const { return usual_time / time - 1; }
};

struct TunedGpuOperation {
  GpuOperation operation = GpuOperation::allreduce;
  std::vector<TunedGpuSize> sizes; // ascending
};

struct GpuTuning {
  std::string platform;
  std::string library; // its name and release
  std::size_t ranks = 0;
  std::size_t nodes = 0;
  double margin = 0; // the least gain, as a share, for which the library's choice is changed
  std::vector<TunedGpuOperation> operations;
  std::vector<std::string> notes;
};

// Neighbouring sizes with one proposed choice, from the bytes of the first to those before the next.
struct TunedGpuRange {
  const TunedGpuSize* first = nullptr;
  const TunedGpuSize* last = nullptr;
  std::optional<Bytes> to; // the last size; none: no limit
};
std::vector<TunedGpuRange> ranges_of(const TunedGpuOperation& operation);

} // namespace kakehashi
