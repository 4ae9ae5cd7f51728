// Which algorithm of an MPI library is best for which sizes, and what that gains over the library's own choice.
#pragma once

#include "base/units.hpp"
#include "model/library_form.hpp"

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

// Something that users can ask for and that may be faster than the library's own choice, which is not sure.
struct TunedRival {
  TimedChoice choice;
  std::string setting; // what makes the library take it at all sizes of a job
};

struct TunedSize {
  std::uint64_t size = 0;  // of the benchmark
  std::uint64_t block = 0; // the bytes of a rank's block, or of the whole vector
  std::uint64_t all = 0;   // those of all blocks
  TimedChoice usual;       // the library's own
  TimedChoice best;        // of all
  TimedChoice chosen;      // the usual one, unless another gains enough
  LibraryForm form;        // of the chosen one, if it is not the usual one
  std::string setting{};   // what makes the library take that at all sizes of a job
  bool is_changed = false;
  std::optional<TunedRival> rival;
  std::optional<TimedChoice> of_file; // what another file of rules takes
  bool is_measured() const { return usual.is_measured && chosen.is_measured; }
  double gain() const { return chosen.time.value > 0 ? usual.time / chosen.time - 1 : 0; }
};

// A collective operation in a communicator of so many ranks.
struct TunedOperation {
  Collective collective{};
  std::size_t placement = 0;
  int ranks = 0;
  double margin = 0;            // the least gain for which a choice is changed, in parts
  std::vector<TunedSize> sizes; // ascending
};

// Neighbouring sizes with one choice, from a size on.
struct TunedRange {
  const TunedSize* first = nullptr;
  double least = 0; // gain
  double most = 0;
  bool is_measured = false; // all of it
};
std::vector<TunedRange> ranges_of(const TunedOperation& operation);

struct TunedPlacement {
  std::string name;
  double usual = 1; // mean time over that of the first placement with the library's own choices
  double tuned = 1; // and with those chosen
};

struct Tuning {
  std::string platform;
  std::string fabric;
  Selector library{};
  int ranks = 0; // of the largest communicator
  std::vector<TunedPlacement> placements;
  std::size_t placement = 0; // the one that is proposed
  std::vector<TunedOperation> operations;
  std::string against{}; // another file of rules
  std::size_t runs = 0;
  bool has_gpus = false; // its ranks are on some
};

// A run of OSU's benchmark that tells how long a choice takes.
struct ConfirmingRun {
  std::string file;    // for its output
  std::string command; // without that
};
// Those that would settle where rivals are, the greatest gains first; each rival beside the library's own choice.
std::vector<ConfirmingRun> confirming_runs(const Tuning& tuning);
// The file for a choice; that for the library's own has no name.
std::string confirming_file(const Tuning& tuning, const TunedOperation& operation, std::uint64_t size,
                            const std::string& name);

// How sure it is that a gain is one: the probability, if the errors of two predictions were independent and as large as
// they typically are. Those of one machine mostly go the same way, so it is more.
double certainty(Collective collective, double gain);
// The factor by which predictions of the operation are typically off (docs/predictions.md).
double typical_factor(Collective collective);

} // namespace kakehashi
