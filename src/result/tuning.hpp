// The best algorithm of an MPI library for each size, and the gain over the library's own choice.
#pragma once

#include "base/units.hpp"
#include "model/mpi_library.hpp"
#include "model/mpi_settings.hpp"

#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace kakehashi {

// An algorithm at one size, and the time that it takes.
struct TimedChoice {
  std::string name;
  Seconds time;
  bool is_measured = false;
};

// A choice that users can force and that may be faster than the library's own, which is not certain.
struct TunedRival {
  TimedChoice choice;
  std::string setting; // makes the library use it at all sizes of a job
};

struct TunedSize {
  std::uint64_t size = 0;  // the benchmark's size
  std::uint64_t block = 0; // bytes of a rank's block, or of the whole vector
  std::uint64_t all = 0;   // bytes of all blocks
  TimedChoice usual;       // the library's own choice
  TimedChoice best;        // the fastest of all
  TimedChoice chosen;      // the library's own choice, unless another one gains enough
  LibraryForm form;        // the chosen one's form, if it is not the library's own
  std::string setting{};   // makes the library use the chosen one at all sizes of a job
  bool is_changed = false;
  std::optional<TunedRival> rival;
  std::optional<TimedChoice> of_file; // the choice of another file of rules
  bool is_measured() const { return usual.is_measured && chosen.is_measured; }
  double gain() const { return chosen.time.value > 0 ? usual.time / chosen.time - 1 : 0; }
};

// A collective operation in a communicator of `ranks` ranks.
struct TunedOperation {
  Collective collective{};
  std::size_t placement = 0;
  int ranks = 0;
  double margin = 0;            // the smallest gain for which a choice is changed, as a share
  std::vector<TunedSize> sizes; // ascending
};

// Neighbouring sizes with one choice.
struct TunedRange {
  const TunedSize* first = nullptr;
  double least = 0; // smallest gain
  double most = 0;
  bool is_measured = false; // all of its times are measured
};
std::vector<TunedRange> ranges_of(const TunedOperation& operation);

struct TunedPlacement {
  std::string name;
  double usual = 1; // mean time with the library's own choices, over that of the first placement
  double tuned = 1; // the same with the chosen ones
};

// Returns the one with the least mean time; the first, unless that gains more than the margin.
std::size_t proposed_placement(const std::vector<TunedPlacement>& placements, double margin);

struct Tuning {
  std::string platform;
  std::string fabric;
  Selector library{};
  int ranks = 0; // number of ranks of the largest communicator
  std::vector<TunedPlacement> placements;
  std::size_t placement = 0; // the proposed one
  std::vector<TunedOperation> operations;
  std::string against{}; // another file of rules
  std::size_t runs = 0;
  bool has_gpus = false;        // whether some of its ranks are on GPUs
  std::string assumed_tables{}; // the source of the library's tables if nobody states a library
  std::string rules_with{};     // a further option that files of rules need
  std::string_view releases{};  // releases of the library that have the functions proposed; empty: all
};

// A run of an OSU benchmark that shows how long a choice takes.
struct ConfirmingRun {
  std::string file;    // the file for its output
  std::string command; // the command without the redirection into that file
};
// Returns the runs that decide between rivals and the library's own choices. Neighbouring sizes at which the same two
// compete first have one pair, where the gain is greatest. The largest gains come first.
std::vector<ConfirmingRun> confirming_runs(const Tuning& tuning);
// The file for a choice. `name` is empty for the library's own choice.
std::string confirming_file(const Tuning& tuning, const TunedOperation& operation, std::uint64_t size,
                            const std::string& name);

// The probability that a gain is real if the errors of two predictions are independent and as large as they typically
// are. Errors on one machine mostly have the same direction, so the true probability is higher.
double certainty(Collective collective, double gain);
// The factor by which predictions of the operation are typically wrong (docs/evidence/predictions.md).
double typical_factor(Collective collective);

// Rules for the algorithms of Open MPI's collective operations, by ranges of communicators and of sizes.
struct GridRule {
  std::uint64_t from = 0; // the smallest size, as Open MPI counts it; the rule holds up to the next rule's
  int number = 0;         // the algorithm's number; 0: the library's own choice
  int fan_out = 0;
  Bytes segment;
  std::string name{}; // the algorithm's name, for remarks
};

struct GridCommunicators {
  int ranks_from = 0;
  int ranks_below = std::numeric_limits<int>::max();
  std::vector<GridRule> rules; // ascending, the first from size 0
};

struct GridOperation {
  Collective collective{};
  std::vector<GridCommunicators> communicators; // ascending; between their ranges the library's own choice holds
};

struct RuleGrid {
  std::string heading;
  std::vector<GridOperation> operations;
};

} // namespace kakehashi
