#include "workload/recorded_calls.hpp"

#include "workload/call_times.hpp"

namespace kakehashi {

std::vector<std::string> communicator_names(const std::vector<RankGroup>& communicators) {
  std::vector<std::string> names{"world"};
  for (std::size_t i = 1; i < communicators.size(); ++i)
    names.push_back(communicators[i].name);
  return names;
}

Result<RecordedCalls> recorded_calls(const TraceSource& source, int ranks) {
  RecordedCalls calls;
  CallTimes times(static_cast<std::size_t>(ranks));
  for (int rank = 0; rank < ranks; ++rank) {
    const auto stream = source.open(rank);
    while (const auto* event = stream->next()) {
      const auto* work = std::get_if<ElapseEvent>(&event->what);
      if (const auto* compute = std::get_if<ComputeEvent>(&event->what))
        calls.instructions += compute->work.value;
      times.add(rank, profiled(*event), work ? work->time : event->recorded, event->recorded, event->site,
                event->region);
    }
    if (const auto& fault = stream->fault())
      return *fault;
  }
  calls.profile = times.profile(communicator_names(source.communicators()));
  return calls;
}

} // namespace kakehashi
