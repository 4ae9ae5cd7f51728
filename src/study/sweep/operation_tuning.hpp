// One operation in one communicator of one placement, and an MPI library → sizes to run it at, and what to take there.
//
// The least and the greatest size are run with all that the library has. Between two sizes more are run while they are
// far apart, or while the best choice, or the library's own, differs; there only with what is not far behind.
#pragma once

#include "model/scenario.hpp"
#include "result/tuning.hpp"
#include "study/sweep/tuner.hpp"
#include "workload/collective/libraries.hpp"
#include "workload/job.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace kakehashi {

class OperationTuning {
public:
  // scenario: any benchmark at the placement. Keeps a reference to the request.
  OperationTuning(const Scenario& scenario, Collective collective, std::size_t placement, int ranks,
                  const TuneRequest& request);

  // Hands out what has not been run: its name, how it is run, and where its time goes, which stays without one if it
  // cannot be run.
  using Take = std::function<void(std::string key, Scenario scenario, std::optional<Seconds>& time)>;
  void open(const Take& take);
  // The library's own choice could not be run at some size.
  bool has_failed() const;
  // Adds the sizes that are to be run next.
  void refine();

  // Puts measured times in the place of predicted ones. What was measured of a choice at some sizes corrects its
  // predictions at the others: by the factor of the nearest one, or between two by what lies between theirs. Returns
  // those that were used.
  std::set<std::string> correct(const Tuning& tuning);

  TunedOperation result() const;

private:
  // An algorithm that some setting of the library leads to.
  struct Entry {
    std::string name;
    AlgorithmChoice choice;
    std::optional<LibraryForm> form; // none: only the library itself, or a file, takes it
    std::optional<Seconds> time;     // none: it could not be run
    bool is_measured = false;
    TimedChoice timed() const { return {name, *time, is_measured}; }
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
  std::map<std::uint64_t, Cell> cells_; // by size
  std::set<std::uint64_t> fresh_;       // sizes that have not been run
};

} // namespace kakehashi
