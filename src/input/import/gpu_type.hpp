// The name of a GPU → what its data sheet states of its links.
#pragma once

#include "base/error.hpp"
#include "model/blueprint.hpp"

namespace kakehashi {

struct GpuType {
  std::string_view name;
  double link_gigabytes;         // of an NVLink or xGMI link in each direction
  int links;                     // NVLinks or xGMI links of a GPU
  int generation;                // of its PCIe slot
  int compute;                   // NVIDIA's compute capability; 0: of AMD
  std::string_view architecture; // AMD's, as RCCL names it; empty: of NVIDIA
  bool is_module = false;        // there are no cards of it without NVLinks
};

// "H100", "NVIDIA H100 80GB HBM3", "GV100GL [Tesla V100 SXM2 16GB]"; nothing: there is no known name in it.
const GpuType* find_gpu_type(std::string_view name);
// The first type of a compute capability, or that of the next lower one.
const GpuType& gpu_type_of(int compute_capability);
const GpuType& gpu_type_of(std::string_view architecture); // "gfx90a"; RCCL's older files have 910 for it

// The type that --gpu states. Errors: it is not known.
Result<const GpuType*> stated_gpu_type(const std::string& name);

// Notes GPUs without NVLinks or xGMI links that should have some: others of the node do, or they are such modules.
void note_gpus_without_nvlinks(const Assembly& node, std::vector<std::string>& notes);

} // namespace kakehashi
