// Names of processors and GPUs → what their data sheets state.
#pragma once

#include "base/error.hpp"
#include "model/blueprint.hpp"

#include <cstdint>

namespace kakehashi {

// A processor's name → what data sheets state of it.

// The name that the table has for a processor, however it is written: "epyc 9654", "Intel(R) Xeon(R) Gold 6148 CPU @
// 2.40GHz". Errors: its family is not known; with the known name that is closest.
Result<std::string> known_processor(const std::string& name);

// The memory in the family's data sheet, with all channels in use; none if the name does not show the family.
std::optional<Memory> memory_of_family(std::string_view processor);

// The rate at which what cores have written passes between last-level caches of a socket; none: the family has one, or
// nobody has measured it.
std::optional<BytesPerSecond> domain_rate_of_family(std::string_view processor);

// Several memories of a socket, in the order in which they fill; none: it has one, or the name does not show the
// family.
std::vector<MemoryPart> memories_of_family(std::string_view processor);

// "MPI's costs are those of a Xeon's core, which is assumed: ..." of a family with other cores; else empty.
std::string note_of_processor(std::string_view processor);

// The time in which its cores add incoming vectors, if it is known to differ from the usual time.
std::optional<MpiSettings> reduction_of_family(std::string_view processor);

// The cores and last-level caches of a socket; none: the table does not have this processor.
struct ProcessorSize {
  int cores;
  Bytes cache;
  int cache_domain; // cores that share a cache of the last level; 0: all, or not known
};
std::optional<ProcessorSize> size_of_processor(std::string_view processor);

// More sockets are not joined in pairs, but through one device that stands for the interconnect.
inline constexpr std::size_t most_joined_sockets = 8;

// The links from one of so many sockets to another, or to the interconnect. The name may be empty.
Cable socket_cable(std::string_view processor, std::size_t sockets);

// The name of a GPU → what its data sheet states of its links.

struct GpuType {
  std::string_view name;
  double link_gigabytes;         // GB/s of an NVLink or xGMI link in each direction
  int links;                     // NVLinks or xGMI links of a GPU
  int generation;                // generation of its PCIe slot
  int compute;                   // NVIDIA's compute capability; 0: of AMD
  std::string_view architecture; // AMD's, as RCCL names it; empty: of NVIDIA
  bool is_module = false;        // there are no cards of it without NVLinks
};

// "H100", "NVIDIA H100 80GB HBM3", "GV100GL [Tesla V100 SXM2 16GB]"; nothing: there is no known name in it.
const GpuType* find_gpu_type(std::string_view name);
// The first type of a compute capability, or that of the next lower one.
const GpuType& gpu_type_of(int compute_capability);
const GpuType& gpu_type_of(std::string_view architecture); // "gfx90a"; RCCL's older files have 910 for it

// The first type of exactly this compute capability; null: none has it.
const GpuType* gpu_type_with(int compute_capability);

// A GPU's or adapter's type as sold, by the numbers of its vendor and of the device in PCI; empty: not known.
std::string_view model_by_number(std::uint32_t vendor, std::uint32_t device);

// The type that --gpu states. Errors: it is not known.
Result<const GpuType*> stated_gpu_type(const std::string& name);

// Gives all GPUs this type, unless it is null. Their sources state whether it is assumed.
void set_models(Assembly& node, const GpuType* type, bool is_assumed);

// Notes GPUs without NVLinks or xGMI links that should have some: others of the node do, or they are such modules.
void note_gpus_without_nvlinks(const Assembly& node, std::vector<std::string>& notes);

} // namespace kakehashi
