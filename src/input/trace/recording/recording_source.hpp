// A folder that the recorder wrote → the events of each rank.
#pragma once

#include "base/error.hpp"
#include "base/units.hpp"
#include "input/trace/recording/recording_records.hpp"
#include "model/replay_part.hpp"
#include "model/trace_event.hpp"

#include <unordered_set>

namespace kakehashi {

// A recording, read as a whole → the facts that its ranks share, and its warnings.
struct RecordedCommunicator {
  std::vector<int> members;      // ranks in the world
  bool takes_collectives = true; // it is no intercommunicator, and all of its members are in the world
};

struct RecordedRank {
  std::vector<std::size_t> communicator_of;    // communicator of by the rank's own numbers
  std::unordered_set<std::uint64_t> cancelled; // requests
};

struct RecordingSurvey {
  StartRecord start;                               // from rank 0
  std::vector<RecordedCommunicator> communicators; // the world comes first
  std::vector<RecordedRank> ranks;
  std::vector<std::string> warnings;
  std::uint64_t calls = 0;        // number of recorded calls
  std::uint64_t polls = 0;        // number of calls that found nothing
  std::uint64_t messages = 0;     // number of messages between ranks
  std::uint64_t bytes = 0;        // bytes in these messages
  std::uint64_t device_works = 0; // works that were started on GPUs and done
  Seconds device_time;            // sum of their times
  Seconds time;                   // time of the slowest rank, if work is counted in time
  double share_in_calls = 0;      // share of MPI calls in all ranks' time
  std::string unfit;              // why it can predict nothing; empty: it can
  bool is_cut = false;            // some ranks have not reached MPI_Finalize
};

std::string recording_file(const std::string& folder, int rank);
// Returns the number of ranks by the files that are there; 0: it is no recording.
int recorded_ranks(const std::string& folder);
// Errors: there is no recording, or a file is missing or damaged.
Result<RecordingSurvey> survey_recording(const std::string& folder);

struct OpenedRecording {
  std::shared_ptr<const TraceSource> source;
  int ranks = 0;
  std::string program;
  bool counts_instructions = false; // false: it counts time
};

// `survey` is the result of survey_recording for the folder.
std::shared_ptr<const TraceSource> source_of(const std::string& folder, RecordingSurvey survey);

// Errors: there is no recording, or it is damaged or unfit for a replay.
Result<OpenedRecording> open_recording(const std::string& folder);

// A recording → the events of its ranks in one part of it.
//
// A message crosses the part's border if only one of its ends is in the part, and a collective call if only some of its
// ranks begin it there. A replay leaves these out, and a warning counts them.
enum class AtBorder { left_out, kept };

// Errors: no rank does anything in the part (the message lists the regions and times that there are); a file has a
// fault.
Result<std::shared_ptr<const TraceSource>> only_part(std::shared_ptr<const TraceSource> source, int ranks,
                                                     const std::string& file, const ReplayPart& part,
                                                     AtBorder at_border);

// Returns an error if the folder's work is counted in instructions and a border of the part is a time.
std::optional<Error> timeless_part(const std::string& folder, const ReplayPart& part);

// Opens a recording's part for a replay. Errors: those of the recording; it has no times that could be borders.
Result<OpenedRecording> open_part(const std::string& folder, const ReplayPart& part);

} // namespace kakehashi
