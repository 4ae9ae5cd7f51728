#include "workload/collective/libraries.hpp"

#include <algorithm>
#include <bit>

namespace kakehashi {
namespace {

using enum Collective;

// Reductions are assumed to add 4-byte elements, as in IMB and OSU; broadcasts send bytes.
constexpr std::uint64_t element = 4;

std::uint64_t element_a_rank(unsigned ranks, Bytes) {
  return element * ranks;
}
std::uint64_t element_a_rank_of_a_power_of_two(unsigned ranks, Bytes) {
  return element * std::bit_floor(ranks);
}
std::uint64_t byte_a_rank(unsigned ranks, Bytes) {
  return ranks;
}
std::uint64_t segment_a_half(unsigned, Bytes segment) {
  return 2 * std::max<std::uint64_t>(1, segment.count);
}
std::uint64_t segment_a_rank(unsigned ranks, Bytes segment) { // without segments, the whole vector is one segment
  return segment.count > 0 ? segment.count * ranks : largest_size.count;
}

// coll_base_*.c of Open MPI 4.0.5, 4.1.6 and 5.0.5, which have the same conditions. Its allgathers fall back only by
// the number of ranks, as the algorithms here do themselves. Its other algorithms take vectors of any length.
constexpr Fallback open_mpi_fallbacks[] = {
    {bcast, "split-binary", "chain", segment_a_half, true},
    {bcast, "scatter-doubling-allgather", "linear", byte_a_rank},
    {bcast, "scatter-ring-allgather", "linear", byte_a_rank},
    {reduce, "rabenseifner", "linear", element_a_rank_of_a_power_of_two},
    {allreduce, "segmented-ring", "ring", segment_a_rank},
    {allreduce, "ring", "recursive-doubling", element_a_rank},
    {allreduce, "rabenseifner", "linear", element_a_rank_of_a_power_of_two},
};

// allreduce.c and reduce.c of MPICH 3.2, and the selection of 4.2.
constexpr Fallback mpich_fallbacks[] = {
    {reduce, "rabenseifner", "binomial", element_a_rank_of_a_power_of_two},
    {allreduce, "rabenseifner", "recursive-doubling", element_a_rank_of_a_power_of_two},
};

} // namespace

std::span<const Fallback> fallbacks_of(Selector library) {
  switch (library) {
  case Selector::open_mpi: return open_mpi_fallbacks;
  case Selector::mpich: return mpich_fallbacks;
  default: return {};
  }
}

} // namespace kakehashi
