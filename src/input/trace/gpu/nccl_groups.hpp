// The communicators of processes in a log of NCCL → groups of ranks of the world.
#pragma once

#include "base/error.hpp"
#include "base/line_reader.hpp"
#include "base/stream.hpp"
#include "model/mpi_settings.hpp"

#include <map>
#include <optional>
#include <vector>

namespace kakehashi {

// A log of NCCL (NCCL_DEBUG=INFO, NCCL_DEBUG_SUBSYS=INIT,COLL) → its communicators and their calls, by process.

// A communicator as one process sees it.
struct NcclCommunicator {
  std::string process; // "host:pid"; or the file, if lines lack that
  int device = 0;
  // None: no line of the log begins the communicator, and calls state no rank.
  std::optional<int> rank;
  int ranks = 0;
  std::string id; // the same for all of its ranks; empty: the log has none
  // The file and line of the first call of a communicator that no line begins.
  std::string file{};
  std::uint64_t line = 0;
};

struct NcclCall {
  enum class Kind { collective, send, receive };
  Kind kind = Kind::collective;
  Collective collective = Collective::barrier;
  std::size_t communicator = 0; // index
  std::uint64_t number = 0;     // opCount: the same for calls that start together
  std::uint64_t count = 0;      // number of elements, as the call states it
  std::uint64_t element = 1;    // bytes
  int root = 0;                 // a message's peer
  std::string stream;
  std::optional<std::int64_t> time; // ns, on the host's clock
  std::uint64_t line = 0;
};

class NcclLog {
public:
  // Reads one of several files to its end. Errors: lines that are cut or make no sense.
  Errors read(LineReader& lines, const std::string& file);
  // Called once, after all files. Errors: some communicators have a line that begins them, and others have none.
  Errors check_begins() const;

  const std::vector<NcclCommunicator>& communicators() const { return communicators_; }
  const std::vector<NcclCall>& calls() const { return calls_; } // in each process's order
  bool has_whole_seconds() const { return has_whole_seconds_; }

private:
  struct Prefix { // the beginning of a line
    std::string process;
    int device = 0;
    std::optional<std::int64_t> time;
  };
  std::optional<Prefix> prefix_of(std::string_view text, const std::string& file);
  bool add_communicator(const Prefix& prefix, std::string_view text);
  std::optional<std::string> add_call(const Prefix& prefix, std::string_view text, const std::string& file,
                                      std::uint64_t line);

  std::vector<NcclCommunicator> communicators_;
  std::map<std::string, std::size_t> places_; // places by process and address: the latest communicator there
  std::vector<NcclCall> calls_;
  bool has_begins_ = false; // lines that begin communicators
  bool has_whole_seconds_ = false;
};

class NcclGroups {
public:
  // The log must outlive it.
  NcclGroups(const NcclLog& log, std::string file, int ranks) : log_(log), file_(std::move(file)), ranks_(ranks) {}

  // Called once, first. Errors: communicators without all of their ranks, none of as many as are placed, or of several
  // runs.
  Errors find();

  std::vector<RankGroup> groups;     // the group of all ranks comes first
  std::vector<std::size_t> group_of; // the group of each of the log's communicators that have calls
  bool is_assumed = false;           // ranks follow from the order of hosts and devices
  int rank_of(const NcclCommunicator& communicator) const {
    return ranks_of_.at({communicator.process, communicator.device});
  }

private:
  using Place = std::pair<std::string, int>; // a process and its device
  struct Parts {
    int ranks = 0;
    std::map<int, Place> places{}; // places by rank
  };

  Errors collect();
  Errors number_parts();
  bool is_whole(const Parts& parts) const;
  Errors find_world();
  Errors missing(const std::string& id);

  const NcclLog& log_;
  std::string file_;
  int ranks_;
  std::vector<std::string> ids_; // the id of each of the log's communicators
  std::vector<int> numbers_;     // likewise: its rank
  std::vector<std::string> order_;
  std::map<std::string, Parts> parts_; // parts by id
  std::map<Place, int> ranks_of_;
};

} // namespace kakehashi
