// The result of a sweep: all candidates that were run, ranked, and the course of the search.
#pragma once

#include "model/platform.hpp"
#include "model/sweep.hpp"
#include "result/outcome.hpp"

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace kakehashi {

// How launchers of MPI programs distribute ranks over the sockets of nodes.

// block: socket after socket. by_socket: node after node, with a rank on each of its sockets in turn. by_node: one rank
// on each node in turn, which fills socket after socket. by_both: one rank on each node in turn, on its sockets in
// turn.
enum class LaunchOrder { block, by_socket, by_node, by_both };
inline constexpr std::array launch_orders{LaunchOrder::block, LaunchOrder::by_socket, LaunchOrder::by_node,
                                          LaunchOrder::by_both};

// The same number of ranks on each socket of some nodes. A launcher's options can state this.
struct EvenPlaces {
  std::size_t nodes = 0;
  std::size_t sockets = 0; // number of sockets of a node
  std::size_t ranks = 0;   // on a socket
};
// Returns nothing if ranks are on devices other than sockets, or unevenly on the sockets.
std::optional<EvenPlaces> even_places(const Platform& platform, const std::vector<std::size_t>& ranks);

// Returns the devices of the ranks if the launcher distributes them in that order.
std::vector<std::size_t> dealt_out(const Platform& platform, const std::vector<std::size_t>& ranks, LaunchOrder order);

// The launcher's order that comes nearest to the best placement.
struct NearestLaunch {
  LaunchOrder order = LaunchOrder::block;
  EvenPlaces places;
  double loss = 0; // the share by which it is worse than the best
};

struct SweepPoint {
  std::size_t variant = 0;
  std::vector<std::size_t> devices; // the device of each rank
  bool is_default = false;
  Outcome outcome;
};

enum class SweepMethod { exhaustive, search };

struct SweepRecord {
  std::string scenario;
  std::string scenario_file;
  std::shared_ptr<const Platform> platform;
  std::string fabric;
  std::string engine;   // the engine that ran the candidates, and its tolerance
  double tolerance = 0; // as a share; candidates within it of the best tie with it
  Objective objective = Objective::time;
  std::size_t sizes = 1; // number of sizes of which a point's time is the sum
  std::string rate_name; // "MB/s", "MiB/s", "items/s"; empty: there is none
  std::vector<std::string> fields;
  std::vector<std::vector<std::string>> values; // values of the fields, for each variant
  bool has_placement = false;
  std::vector<SweepPoint> points; // the best first, failed ones last
  std::size_t failed = 0;
  std::size_t lost = 0; // the failed ones that a fault of the system ended

  SweepMethod method = SweepMethod::exhaustive;
  double candidates = 0;    // the number of all candidates
  std::size_t distinct = 0; // exhaustive: the number that remains after symmetry
  std::size_t pruned = 0;   // the number that the bound excluded
  std::size_t not_run = 0;  // distinct candidates that belong to other shards
  std::uint64_t seed = 0;   // seed of a search
  std::string stopped;      // why a search ended, or why not all candidates were run
  bool is_interrupted = false;
  std::optional<double> gap; // the best is proven to be at most this share worse than the optimum; 0 after all were run

  struct PlacementFiles {
    std::string rankfile = "ranks.txt";
    std::string hostfile = "hosts.txt";
  };
  PlacementFiles files;                 // names that the lines to start the best state
  std::optional<NearestLaunch> nearest; // the launcher's order that is nearest to the best, if ranks are on sockets

  // The smaller the score, the better the point.
  double score(const SweepPoint& point) const {
    return objective == Objective::time ? point.outcome.time.value : -point.outcome.rate;
  }
};

// The points that did not fail, the best first.
std::span<const SweepPoint> that_ran(const SweepRecord& record);
// Those of them that are as good as the best within the tolerance; it is one of them.
std::span<const SweepPoint> ties(const SweepRecord& record);
// The unchanged scenario; null if it was not run or failed.
const SweepPoint* default_of(const SweepRecord& record);
// By what share a point is better than the default; nothing without a default.
std::optional<double> gain(const SweepRecord& record, const SweepPoint& point);

} // namespace kakehashi
