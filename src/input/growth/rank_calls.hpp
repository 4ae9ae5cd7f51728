// A recording → what each rank does, by its place on a grid.
#pragma once

#include "base/error.hpp"
#include "base/hash.hpp"
#include "input/growth/grid.hpp"
#include "model/trace_event.hpp"

#include <map>

namespace kakehashi {

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
  std::optional<int> peer; // of a collective call: the root; none: it has none
  int tag = 0;
  std::size_t context = 0; // of a collective call: the communicator
  std::uint64_t bytes = 0; // that this rank sends or contributes; 0 for a receive
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
  std::uint64_t collective_bytes = 0; // that the rank states in these calls: a vector, a block, or a list of blocks
  double collective_sizes = 0;        // the sum of these calls' sizes; of a list of blocks, of their mean
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
  bool any_tag = false; // of a receive
};

// A recording, on the grid that its ranks' calls show.
struct SurveyedSize {
  RecordedSize recording;
  Grid grid;
  std::vector<GridLine> lines; // for each communicator
  std::vector<RankCalls> ranks;
  std::vector<std::map<int, Exchange>> exchanges; // of each rank with other ranks
};
// The grid is the one that the recording shows; see recorded_grid.
Result<SurveyedSize> survey_size(const RecordedSize& recording, std::size_t axes);

} // namespace kakehashi
