#include "command/recording_summary.hpp"

#include <fmt/format.h>

namespace kakehashi {

std::string summary_of_recording(const std::string& folder, const RecordingSurvey& survey) {
  const auto polls = survey.polls > 0 ? fmt::format(", {} polls that found nothing", survey.polls) : "";
  const bool has_time = survey.start.unit != WorkUnit::instructions;
  return fmt::format(
      "{}: recording of {}, {}, {}\n{}: {} calls{}, {} messages between two ranks, {}{}\n", folder,
      survey.start.program, counted(static_cast<std::size_t>(survey.start.ranks), "rank"), survey.start.library, folder,
      survey.calls, polls, survey.messages, to_text(Bytes{survey.bytes}),
      has_time ? fmt::format(", {:.3f} s, of which {:.1f} % in MPI", survey.time.value, 100 * survey.share_in_calls)
               : ", work in instructions");
}

} // namespace kakehashi
