// The places of a job and an MPI library → the library's best algorithm for each size, found adaptively.
#pragma once

#include "model/decision.hpp"
#include "model/scenario.hpp"
#include "result/tuning.hpp"
#include "study/sweep/evaluation.hpp"
#include "workload/collective/libraries.hpp"
#include "workload/job.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace kakehashi {

struct TuneRequest {
  std::vector<std::string> placements; // names of the sweep's first variants, in this order
  std::vector<Collective> collectives;
  std::vector<int> communicators;   // numbers of ranks, ascending; a communicator has the first ranks of a placement
  std::vector<std::uint64_t> sizes; // sizes at the start; empty: the usual ones
  std::optional<double> margin;     // the gain that a change needs, as a share; none: the typical error of predictions
  std::optional<std::string_view> release;        // release of the library, as in forms_of; none: the usual one
  std::shared_ptr<const CollectiveRules> against; // another file of rules; may be null
  std::map<std::string, Seconds> measured; // times by confirming_file; they correct predictions of the same choice
  EvaluationOptions how;
  std::function<void(std::size_t done, std::size_t all)> progress;
};

// `places` has a variant for each placement, with any benchmark; it grows by what is run. Errors: a run with the
// library's own choice failed; a measured time belongs to no choice that was run; an interrupt.
Result<Tuning> tune(Sweep& places, Outcomes known, const TuneRequest& request);

// One operation in one communicator of one placement, and an MPI library → sizes at which to run it, and its best
// algorithm at each.
//
// The smallest and the largest size run with all of the library's algorithms. Further sizes between two run while these
// are far apart, or while the best choice, or the library's own, differs between them; only with algorithms that are
// not far behind.
class OperationTuning {
public:
  // scenario: any benchmark at the placement. Keeps a reference to the request.
  OperationTuning(const Scenario& scenario, Collective collective, std::size_t placement, int ranks,
                  const TuneRequest& request);

  // Calls `take` for each entry that has neither a time nor failed: with its name, its scenario, and the place for its
  // time, which stays empty if the run fails.
  using Take = std::function<void(std::string key, Scenario scenario, std::optional<Seconds>& time)>;
  void open(const Take& take);
  // Whether the library's own choice could not be run at some size.
  bool has_failed() const;
  // Adds the sizes that are to run next.
  void refine();

  // Replaces predicted times by measured ones. Measured times of a choice at some sizes also correct its predictions at
  // the others: by the factor at the nearest size, or interpolated between two sizes. Choices of which nothing was
  // measured are corrected by the median factor of the operation. Returns the measured times that were used.
  std::set<std::string> correct(const Tuning& tuning);

  TunedOperation result() const;

private:
  // Where a time comes from. Corrected: predicted, times the factor of the same choice's measured times; shifted: times
  // the median factor of others'.
  enum class Basis { predicted, shifted, corrected, measured };
  // An algorithm that some setting of the library selects.
  struct Entry {
    std::string name;
    AlgorithmChoice choice;
    std::optional<LibraryForm> form; // none: only the library itself, or a file, selects it
    std::optional<Seconds> time;     // none: it could not be run
    Basis basis = Basis::predicted;
    TimedChoice timed() const { return {name, *time, basis == Basis::measured}; }
  };

  struct Cell {
    std::vector<Entry> entries;
    std::string usual;
    std::string of_file; // empty: there is none
    const Entry& entry(const std::string& name) const { return *std::ranges::find(entries, name, &Entry::name); }
    const Entry& best() const {
      return *std::ranges::min_element(entries, {}, [](const Entry& each) {
        return each.time ? each.time->value : std::numeric_limits<double>::infinity();
      });
    }
    bool is_nearly_best(const std::string& name, double within) const {
      const auto found = std::ranges::find(entries, name, &Entry::name);
      return found != entries.end() && found->time && found->time->value <= within * best().time->value;
    }
  };

  TunedOperation operation() const; // without sizes
  void begin_together(Benchmark& benchmark);
  std::vector<std::uint64_t> first_sizes() const;
  Blocks blocks_of(std::uint64_t size) const;
  AlgorithmChoice taken(std::uint64_t size, const LibraryForm* form) const;
  bool is_possible(const LibraryForm& form) const;
  void add(std::uint64_t size, const Cell* below, const Cell* above);
  bool differ(std::uint64_t low, const Cell& a, std::uint64_t high, const Cell& b) const;
  const Entry* with_form(const Cell& cell, const std::string& before) const;
  std::string key(std::uint64_t size, const Entry& entry) const;
  Scenario with(std::uint64_t size, const Entry& entry) const;
  TunedSize tuned(std::uint64_t size, const Cell& cell, const std::string& before) const;

  Scenario scenario_;
  Collective collective_;
  std::size_t placement_;
  int ranks_;
  const TuneRequest& request_;
  SharedPlace place_;
  std::map<std::uint64_t, Cell> cells_; // cells by size
  std::set<std::uint64_t> fresh_;       // sizes that have not been run
};

} // namespace kakehashi
