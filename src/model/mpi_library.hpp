// An MPI library as its data file describes it: which algorithms it takes, and how its users ask for others.
#pragma once

#include "model/decision.hpp"
#include "model/mpi_settings.hpp"
#include "model/source.hpp"

#include <deque>
#include <memory>
#include <optional>
#include <string_view>

namespace kakehashi {

// The bytes that an algorithm needs of a vector: an element of 4 B a rank, or for each of the largest power of two of
// ranks; a byte a rank; two segments; a segment a rank.
enum class VectorNeed { element_a_rank, element_a_power_of_two, byte_a_rank, two_segments, segment_a_rank };
inline constexpr std::array<std::string_view, 5> vector_need_names{"element-a-rank", "element-a-power-of-two",
                                                                   "byte-a-rank", "two-segments", "segment-a-rank"};

// What the library's function does if a vector has fewer bytes than its algorithm needs. Rows are tried in order, so
// one fallback may lead to the next.
struct Fallback {
  Collective collective{};
  std::string_view from;
  std::string_view to;
  VectorNeed needs{};
  bool keeps_segment = false;
};

// An algorithm by the number or the function that the library's users know.
struct NamedAlgorithm {
  Collective collective{};
  std::string_view algorithm; // in the registry
  int width = 0;              // the algorithm's fixed width; 0: the settings state it
  int number = 0;             // in Open MPI and Intel MPI
  std::string_view function;  // in MPICH: "ring" of MPIR_Allgather_intra_ring; in Fujitsu's: its name
  std::string_view since;     // the first release that has it; empty: all before `until`
  std::string_view until;     // the last one; empty: all later ones
  // `release` may be empty: whether all have it.
  bool is_in(std::string_view release) const {
    return release.empty() ? since.empty() && until.empty() : since <= release && (until.empty() || release <= until);
  }
};

// How ranks agree on the number of a new communicator once they know its members.
struct CommunicatorForm {
  int allreduces = 0;
  Bytes size;  // size of each
  Seconds own; // the other work of each rank
};

// Where the library adds vectors of ranks on GPUs, unless the user states it.
struct GpuForm {
  GpuReductions reductions{};
  // It also copies the result buffer to the host before a reduction, which then overwrites it.
  bool copies_result_in = false;
  Source source;
};

// The form of the settings by which users ask for algorithms: none is known; --mca options; MPIR_CVAR_…;
// I_MPI_ADJUST_…; -mca coll_select_….
enum class SettingsForm { none, open_mpi, mpich, intel_mpi, fujitsu };
inline constexpr std::array<std::string_view, 5> settings_form_names{"none", "open-mpi", "mpich", "intel-mpi",
                                                                     "fujitsu"};

struct LibrarySettings {
  SettingsForm form = SettingsForm::none;
  std::string_view release;  // the release whose algorithms are known; is_in
  bool are_in_files = false; // it also reads files of rules, or a shell's lines
  std::string_view with;     // a further option that rules need
};

// What all ranks of a node do together in memory that they share, such as the half of a Barrier in which the first one
// hears of all others. Usual: such operations take 0.04 to 0.07 us for each rank.
struct SharedMemoryCosts {
  Seconds start{0.3e-6};
  Seconds per_rank{0.04e-6};
  BytesPerSecond rate{30e9}; // of the vectors of all ranks
};

// Names point into `texts`.
struct MpiLibrary {
  std::string name;
  std::shared_ptr<const MpiLibrary> next; // decides if no row of its own holds; null: some row always holds
  std::string source;
  std::string assumed;             // a clause on what no public source states; empty: nothing is assumed
  std::vector<Decision> decisions; // its own
  bool precedes_rules = false;     // its own rows come before a user's rules
  std::vector<Fallback> fallbacks; // also the fallbacks of those that follow it
  MpiProgress progress{};          // unless the user states another one
  Source progress_source;
  CommunicatorForm communicator;
  GpuForm gpu;
  double full_node_factor = 1;           // as in MpiSettings
  std::optional<Bytes> single_copy_from; // shorter messages inside a node pass through a buffer; none: eager ones do
  SharedMemoryCosts shared_memory;
  LibrarySettings settings;
  std::vector<NamedAlgorithm>
      algorithms; // the names by which users ask for algorithms; also those of libraries that follow it
  std::deque<std::string> texts;
};

// The name or number that an MPI library's users give an algorithm.
struct LibraryForm {
  AlgorithmChoice choice;         // the algorithm that runs, unless vectors are too short for it
  int number = 0;                 // in Open MPI and Intel MPI
  std::string_view function = {}; // as in NamedAlgorithm
  int fan_out = 0;                // the fan-out of Open MPI's chains
};

// What the conditions of MPICH's selection files ask about calls, by its src/mpi/coll/src/csel.c (alike in 4.0.2, 4.2.3
// and 5.0.1).

// Whether MPICH knows a condition's quantity, such as "avg_msg_size", for calls of an operation. Asked for another one,
// it ends the job.
constexpr bool mpich_knows(std::string_view quantity, Collective collective) {
  using enum Collective;
  const auto is_one_of = [&](auto... each) { return ((collective == each) || ...); };
  if (quantity == "avg_msg_size")
    return is_one_of(allreduce, alltoall, bcast, reduce);
  if (quantity == "total_msg_size")
    return !is_one_of(barrier, gatherv, scatterv, scan, exscan);
  if (quantity == "count")
    return is_one_of(allgather, allgatherv, allreduce, bcast, reduce, reduce_scatter);
  if (quantity == "is_commutative")
    return is_one_of(allreduce, reduce, reduce_scatter);
  if (quantity == "is_op_built_in")
    return is_one_of(allreduce, reduce);
  if (quantity == "is_sendbuf_inplace")
    return is_one_of(alltoall, alltoallv);
  if (quantity == "is_block_regular")
    return collective == reduce_scatter;
  return true;
}

// Whether a quantity is asked for when a communicator is made. All others, and what stands below them or after them,
// are asked for at each call; there "comm_size<8" holds for 8 ranks, too.
constexpr bool is_of_communicator(std::string_view quantity) {
  return quantity.starts_with("comm_") || quantity == "is_node_consecutive";
}

} // namespace kakehashi
