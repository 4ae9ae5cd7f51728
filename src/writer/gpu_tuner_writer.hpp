// What to let NCCL or RCCL take → the CSV that NCCL's example of a tuner reads (NCCL_TUNER_CONFIG_FILE).
#pragma once

#include <iosfwd>

namespace kakehashi {

struct GpuTuning;

// All sizes of its operations have a row: what matches none would run by Ring and Simple.
void write_gpu_tuner(const GpuTuning& tuning, std::ostream& out);

} // namespace kakehashi
