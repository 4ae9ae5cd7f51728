// What each rank of a recording does, as its place on a grid shows it.
#pragma once

#include "base/error.hpp"
#include "input/growth/grid.hpp"
#include "model/trace_event.hpp"

#include <map>

namespace kakehashi {

struct RecordedSize {
  std::string name; // a folder
  std::shared_ptr<const TraceSource> source;
  int ranks = 0;
};

// One end of a message, or a collective call.
struct CallPart {
  std::optional<int> peer; // or root; none: it has none
  int tag = 0;
  std::size_t context = 0; // or the communicator
  std::uint64_t bytes = 0; // that this rank gives; 0 for a receive
  bool is_message = false; // which leaves this rank
};
// Empty for work and waits.
std::vector<CallPart> parts_of(const TraceEvent& event);
double work_of(const TraceEvent& event); // in seconds, or what else the recording counts
void scale_work(TraceEvent& event, double factor);
// Where calls are done again: so many more works of devices have been begun before.
void shift_works(TraceEvent& event, std::uint64_t shift);

// A communicator whose ranks have the same place on all axes but some.
struct GridLine {
  unsigned along = 0;   // a bit for each axis on which its ranks differ
  std::size_t turn = 0; // how many of the same ranks were made before it
  auto operator<=>(const GridLine&) const = default;
};
int ranks_along(const Grid& grid, const GridLine& line);        // how many are on it
int first_on(const Grid& grid, const GridLine& line, int rank); // the lowest rank of the line that this one is on
std::vector<int> ranks_on(const Grid& grid, const GridLine& line, int first);

struct RankCalls {
  std::uint64_t calls = 0;
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0; // of these
  std::uint64_t collective_calls = 0;
  std::uint64_t collective_bytes = 0; // that the rank states in these: a vector, a block, or a list of them
  double work = 0;
  std::uint64_t pattern = 0;     // the same where ranks make the same calls with the same neighbours; sizes may differ
  std::uint64_t order = 0;       // the same where they also do so in the same order; without collective calls
  std::uint64_t collectives = 0; // and these
};

// Messages between a rank and another; numbers of them, and what is the same where their tags and communicators are.
struct Exchange {
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
  std::uint64_t sent_pattern = 0;
  std::uint64_t received_pattern = 0;
  bool any_tag = false; // of a receive
};

// Where the receiver of a message is: the axes on which it is one further as bits, or the first or last rank of all.
inline constexpr std::size_t relations = 10;
std::size_t relation_of(const Grid& grid, int rank, int peer);

// A recording on the grid that its ranks' calls show.
struct SurveyedSize {
  RecordedSize recording;
  Grid grid;
  std::vector<GridLine> lines; // of each communicator
  std::vector<RankCalls> ranks;
  std::vector<std::map<int, Exchange>> exchanges; // of each rank with others
  std::array<double, relations> mean_bytes{}; // of messages
};
// axes: of the grid; 0: as few as there can be. Errors: a fault of a file, or no grid explains who calls whom.
Result<SurveyedSize> survey_size(const RecordedSize& recording, std::size_t axes);

} // namespace kakehashi
