// A recording → what its ranks have in common, and its warnings: all of it is read.
#pragma once

#include "base/error.hpp"
#include "base/units.hpp"
#include "input/trace/recording_records.hpp"

#include <unordered_set>

namespace kakehashi {

struct RecordedCommunicator {
  std::vector<int> members;      // of the world
  bool takes_collectives = true; // it is no intercommunicator, and all its members are in the world
};

struct RecordedRank {
  std::vector<std::size_t> communicator_of;    // by its own numbers
  std::unordered_set<std::uint64_t> cancelled; // requests
};

struct RecordingSurvey {
  StartRecord start;                               // of rank 0
  std::vector<RecordedCommunicator> communicators; // the world is the first
  std::vector<RecordedRank> ranks;
  std::vector<std::string> warnings;
  std::uint64_t calls = 0;        // that were recorded
  std::uint64_t polls = 0;        // calls that found nothing
  std::uint64_t messages = 0;     // that ranks sent to each other
  std::uint64_t bytes = 0;        // of these
  std::uint64_t device_works = 0; // that were started on GPUs, and done
  Seconds device_time;            // that they took
  Seconds time;                   // of the rank that took longest; where work is counted in time
  double share_in_calls = 0;      // of all ranks' time
  std::string unfit;              // why it predicts nothing; empty: it does
  bool is_cut = false;            // some ranks have not come to MPI_Finalize
};

std::string recording_file(const std::string& folder, int rank);
// Errors: there is none, or a file is missing or damaged.
Result<RecordingSurvey> survey_recording(const std::string& folder);

} // namespace kakehashi
