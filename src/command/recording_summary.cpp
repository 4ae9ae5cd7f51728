#include "command/recording_summary.hpp"

#include <fmt/format.h>

namespace kakehashi {

std::string summary_of_recording(const std::string& folder, const RecordingSurvey& survey) {
  const auto polls = survey.polls > 0 ? fmt::format(", {} polls that found nothing", survey.polls) : "";
  const bool has_time = survey.start.unit != WorkUnit::instructions;
  const auto devices = survey.device_works > 0 ? fmt::format(", {} kernels, copies and fills of GPUs in {:.3f} s",
                                                             survey.device_works, survey.device_time.value)
                                               : "";
  return fmt::format(
      "{}: recording of {}, {}, {}\n{}: {} calls{}, {} messages between two ranks, {}{}{}\n", folder,
      survey.start.program, counted(static_cast<std::size_t>(survey.start.ranks), "rank"), survey.start.library, folder,
      survey.calls, polls, survey.messages, to_text(Bytes{survey.bytes}),
      has_time ? fmt::format(", {:.3f} s, of which {:.1f} % in MPI", survey.time.value, 100 * survey.share_in_calls)
               : ", work in instructions",
      devices);
}

std::string summary_of_growth(const GrowthError& error) {
  const auto& [text, grown, recorded, unlike] = error;
  return fmt::format("{}: {} messages (recorded: {}), {} ({}), {} collective calls ({}) with {} ({}), work {:+.1f} %, "
                     "{} with other calls\n",
                     text, grown.messages, recorded.messages, to_text(Bytes{grown.bytes}),
                     to_text(Bytes{recorded.bytes}), grown.collective_calls, recorded.collective_calls,
                     to_text(Bytes{grown.collective_bytes}), to_text(Bytes{recorded.collective_bytes}),
                     recorded.work > 0 ? 100 * (grown.work / recorded.work - 1) : 0, counted(unlike, "rank"));
}

} // namespace kakehashi
