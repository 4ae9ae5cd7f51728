// A recording and what changes in it → a source whose streams make these changes.
#pragma once

#include "input/growth/call_loops.hpp"
#include "model/trace_event.hpp"

namespace kakehashi {

struct ChangedRecording {
  std::shared_ptr<const TraceSource> source; // the recording
  int recorded_ranks = 0;
  int ranks = 0;
  std::vector<RankGroup> groups;
  std::vector<std::string> warnings;
  std::vector<std::string> other_files{}; // the other files from which the changes come
};

// A stream is made of the changes, which all ranks share, and a rank. `Changes` is a ChangedRecording with more
// members.
template <class Changes, class Stream> class ChangedSource : public TraceSource {
public:
  explicit ChangedSource(Changes changes) : changes_(std::make_shared<const Changes>(std::move(changes))) {}

  std::unique_ptr<EventStream> open(int rank) const override { return std::make_unique<Stream>(changes_, rank); }
  std::uint64_t bytes() const override {
    return changes_->source->bytes() / static_cast<std::uint64_t>(changes_->recorded_ranks) *
           static_cast<std::uint64_t>(changes_->ranks);
  }
  std::vector<std::string> files() const override {
    auto files = changes_->source->files();
    files.insert(files.end(), changes_->other_files.begin(), changes_->other_files.end());
    return files;
  }
  const std::vector<RankGroup>& communicators() const override { return changes_->groups; }
  const std::vector<std::string>& warnings() const override { return changes_->warnings; }
  bool is_cut() const override { return changes_->source->is_cut(); }
  std::string communicator_advice() const override { return changes_->source->communicator_advice(); }

private:
  std::shared_ptr<const Changes> changes_;
};

// Surveyed recordings → the parts of a job that grows from them.

// The grid that the ranks of a recording are on.
struct RecordedGrid {
  Grid grid;
  std::vector<GridLine> lines; // lines for each communicator
};
// Ranks call only their neighbours, and rank 0 and the last rank, on as few axes as possible, or on `axes` of them if
// that is not 0. Of several such grids it is one on which ranks with the same neighbours make the same calls; then the
// one on which messages have the fewest axes to go along; then the first of grids_of. Errors: a file has a fault, or
// there is no such grid.
Result<RecordedGrid> recorded_grid(const RecordedSize& recording, std::size_t axes);

// The recordings, and the grid of the ranks of the new job.
struct GrowthBasis {
  SurveyedSize recorded; // the largest one
  std::vector<SurveyedSize> smaller;
  Grid grid;
  double work = 1; // factor of each rank's work
  // The recordings that show how sizes change from call to call, if any: for messages by kind of rank, and for all
  // collective calls.
  std::array<std::optional<std::size_t>, rank_kinds> messages_before{};
  std::optional<std::size_t> collectives_before{};
  std::array<double, relations> sizes{}; // factors of messages' sizes by relation, where no recording shows this
};

struct GrownGrid {
  Grid grid;
  std::string text; // which of the grids of as many ranks this is; empty: nothing to add
};
// `stated`: the numbers of ranks along the axes; empty: it is like those of the recordings. Errors: there is no such
// grid.
Result<GrownGrid> grown_grid(const GrowthBasis& basis, int ranks, const std::vector<int>& stated);

// Returns the recorded rank with the same neighbours: on each axis the first and the last rank stay so, and all others
// are the second one.
int stand_in(const Grid& recorded, const Grid& grown, int rank);
bool has_kind(const Grid& recorded, const Grid& grown, int rank); // whether the stand-in has the same neighbours
// Returns the rank that is to this rank what `peer` is to its stand-in.
int grown_peer(const Grid& recorded, const Grid& grown, int rank, int peer);

// Names the first pair of ranks of a larger grid whose sends and receives differ although those of the recorded ranks
// agree.
std::optional<Error> unmatched_messages(const SurveyedSize& recorded, const Grid& grown);

struct NumberOfRanks {
  double ranks = 0;
  double number = 0; // 0 or less: it is ignored
};
// Returns the exponent by which the number depends on the number of ranks: the slope of the best line through the
// logarithms. 0 with fewer than two sizes.
double power_through(const std::vector<NumberOfRanks>& points);

// Finds how calls and work change. Returns sentences about this, and about everything that the recordings leave open.
std::vector<std::string> find_changes(GrowthBasis& basis);

// Recordings with as many repetitions of their loops as a job of another size has.
struct LoopedSizes {
  std::vector<RecordedSize> recordings; // the largest first; empty: all stay as they are
  std::vector<std::string> texts;       // the assumptions
};
// Loops are those of all ranks, and contain collective calls of all. The numbers of repetitions follow the best power
// of the number of ranks through all recordings in which rank 0 differs in nothing else. `sizes`: the largest comes
// first.
LoopedSizes with_loops_of(const std::vector<const SurveyedSize*>& sizes, int ranks);

// The list of blocks of a recorded collective call → the block for each rank of a larger grid.
class RecordedBlocks {
public:
  // `rank` and `line` are those of the larger grid. `call`, which the stand-in made, must outlive this.
  RecordedBlocks(const CollectiveEvent& call, const Grid& recorded, const Grid& grown, const GridLine& line, int rank);

  std::uint64_t of(int member) const;

private:
  int recorded_member(int member) const;

  const CollectiveEvent& call_;
  const Grid& recorded_;
  const Grid& grown_;
  int rank_;
  int own_;                  // its stand-in
  std::vector<int> members_; // members of the recorded call, in order
  std::map<int, int> far_;   // one member of each kind that is neither the stand-in nor its neighbour
};

std::shared_ptr<const TraceSource> grown_source(GrowthBasis basis, std::vector<std::string> warnings);
// A recording with other numbers of repetitions of its loops. `calls` is the number of calls of all ranks. `ranges` are
// ranges of these; each call comes with what a rank does since the previous one. What follows the last call follows the
// last range.
std::shared_ptr<const TraceSource> looped_source(const SurveyedSize& size, std::size_t calls,
                                                 std::vector<CallRange> ranges);

} // namespace kakehashi
