// A recording, read as a whole → the facts that its ranks share, and its warnings.
#pragma once

#include "base/error.hpp"
#include "base/units.hpp"
#include "input/trace/recording/recording_records.hpp"

#include <unordered_set>

namespace kakehashi {

struct RecordedCommunicator {
  std::vector<int> members;      // ranks in the world
  bool takes_collectives = true; // it is no intercommunicator, and all of its members are in the world
};

struct RecordedRank {
  std::vector<std::size_t> communicator_of;    // by the rank's own numbers
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
  Seconds time;                   // of the slowest rank, if work is counted in time
  double share_in_calls = 0;      // share of MPI calls in all ranks' time
  std::string unfit;              // why it can predict nothing; empty: it can
  bool is_cut = false;            // some ranks have not reached MPI_Finalize
};

std::string recording_file(const std::string& folder, int rank);
// Returns the number of ranks by the files that are there; 0: it is no recording.
int recorded_ranks(const std::string& folder);
// Errors: there is no recording, or a file is missing or damaged.
Result<RecordingSurvey> survey_recording(const std::string& folder);

} // namespace kakehashi
