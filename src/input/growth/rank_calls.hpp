// A recording → what each rank does, by its place on a grid.
#pragma once

#include "base/error.hpp"
#include "base/hash.hpp"
#include "model/trace_event.hpp"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kakehashi {

// Ranks on a grid of one to three axes. They are numbered along the last axis first, as by MPI_Cart_create; or as they
// come when the grid is halved again and again along one axis after the other.
inline constexpr std::size_t grid_axes = 3;
using GridPlace = std::array<int, grid_axes>;
using GridStep = std::array<int, grid_axes>; // to a neighbour: -1, 0 or 1 on each axis

struct Grid {
  GridPlace extent{1, 1, 1}; // 1: the axis does not exist
  bool is_halved = false;    // all axes have the same length, a power of two

  int ranks() const { return extent[0] * extent[1] * extent[2]; }
  std::size_t axes() const; // number of axes longer than 1
  GridPlace place_of(int rank) const;
  int rank_of(const GridPlace& place) const;
  bool operator==(const Grid&) const = default;
};
std::string axes_text(std::size_t axes); // "one axis", "3 axes"
std::string text_of(const Grid& grid);   // "4 x 4 x 2"

// Returns the step from one rank to another, if they are neighbours, perhaps across the grid's ends.
std::optional<GridStep> step_between(const Grid& grid, int from, int to);
int neighbour(const Grid& grid, int rank, const GridStep& step);

// The kind of a rank shows which neighbours it has: whether it is the first, inside, or the last on each axis.
inline constexpr int rank_kinds = 27;
int kind_of(const Grid& grid, int rank);

// Returns all grids with so many ranks and axes: the most cubic one first, the halved one last. Of those with axes of
// the same lengths, the one whose lengths fall comes first, as MPI_Dims_create gives them.
std::vector<Grid> grids_of(int ranks, std::size_t axes);

struct RecordedSize {
  std::string name;                          // a folder
  std::shared_ptr<const TraceSource> source; // names requests by numbers alone, as `kakehashi record` does
  int ranks = 0;
};

// Reads all events of each rank and calls visit(rank, event).
template <class Visit> Errors read_all(const RecordedSize& recording, Visit visit) {
  for (int rank = 0; rank < recording.ranks; ++rank) {
    const auto stream = recording.source->open(rank);
    while (const auto* event = stream->next())
      visit(rank, *event);
    if (const auto& fault = stream->fault())
      return {*fault};
  }
  return {};
}

// One end of a message, or a collective call.
struct CallPart {
  std::optional<int> peer; // a collective call's root; none: it has none
  int tag = 0;
  std::size_t context = 0; // a collective call's communicator
  std::uint64_t bytes = 0; // number of bytes that this rank sends or contributes; 0 for a receive
  bool is_message = false; // the message leaves this rank
};
template <class... Numbers> std::uint64_t hash_of_numbers(Numbers... numbers) {
  auto hash = hash_of_nothing;
  ((hash = hash_with(hash, static_cast<std::int64_t>(numbers))), ...);
  return hash;
}
// Returns nothing for work and waits.
std::vector<CallPart> parts_of(const TraceEvent& event);
double work_of(const TraceEvent& event); // in seconds, or in the recording's other unit
void scale_work(TraceEvent& event, double factor);
// begin(number) returns the new number of a request that an event begins. end(numbers) changes those of the requests
// that an event waits for.
template <class Begin, class End> void number_requests(TraceEvent& event, Begin begin, End end) {
  const auto number = [&](auto& what) {
    if (what.request != 0)
      what.request = begin(what.request);
  };
  if (auto* send = std::get_if<SendEvent>(&event.what))
    number(*send);
  else if (auto* receive = std::get_if<ReceiveEvent>(&event.what))
    number(*receive);
  else if (auto* both = std::get_if<SendReceiveEvent>(&event.what)) {
    number(both->send);
    number(both->receive);
  } else if (auto* remote = std::get_if<RemoteEvent>(&event.what))
    number(*remote);
  else if (auto* call = std::get_if<CollectiveEvent>(&event.what))
    number(*call);
  else if (auto* complete = std::get_if<CompleteEvent>(&event.what))
    end(complete->requests);
}
// Adjusts the numbers of works of devices in repeated calls, before which `shift` more works have begun.
void shift_works(TraceEvent& event, std::uint64_t shift);

// A communicator of ranks that have the same coordinates on all axes but some.
struct GridLine {
  unsigned along = 0;   // one bit for each axis on which its ranks differ
  std::size_t turn = 0; // number of earlier communicators with the same ranks
  auto operator<=>(const GridLine&) const = default;
};
int ranks_along(const Grid& grid, const GridLine& line);        // number of ranks on it
int first_on(const Grid& grid, const GridLine& line, int rank); // the lowest rank on the line of this rank
std::vector<int> ranks_on(const Grid& grid, const GridLine& line, int first);

// Where the receiver of a message is: a bit for each axis on which it is one step further, or the first or last rank of
// all.
inline constexpr std::size_t relations = 10;
std::size_t relation_of(const Grid& grid, int rank, int peer);

struct RankCalls {
  std::uint64_t calls = 0;
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;                         // in these messages
  std::array<std::uint64_t, relations> bytes_to{}; // the same, by relation
  std::uint64_t collective_calls = 0;
  std::uint64_t collective_bytes =
      0;                       // bytes that the rank states in these calls: a vector, a block, or a list of blocks
  double collective_sizes = 0; // the sum of these calls' sizes; of a list of blocks, of their mean
  double work = 0;
  std::uint64_t pattern = 0;     // equal if ranks make the same calls with the same neighbours; sizes may differ
  std::uint64_t order = 0;       // equal if the order of these calls is also the same, without collective calls
  std::uint64_t collectives = 0; // the same for collective calls
};

void count_event(const TraceEvent& event, RankCalls& rank); // leaves `bytes_to` and the hashes as they are

// Messages between a rank and another one: their numbers, and hashes of their tags and communicators.
struct Exchange {
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
  std::uint64_t sent_pattern = 0;
  std::uint64_t received_pattern = 0;
  bool any_tag = false; // a receive's
};

// A recording, on the grid that its ranks' calls show.
struct SurveyedSize {
  RecordedSize recording;
  Grid grid;
  std::vector<GridLine> lines; // lines for each communicator
  std::vector<RankCalls> ranks;
  std::vector<std::map<int, Exchange>> exchanges; // exchanges of each rank with other ranks
};
// The grid is the one that the recording shows; see recorded_grid.
Result<SurveyedSize> survey_size(const RecordedSize& recording, std::size_t axes);

} // namespace kakehashi
