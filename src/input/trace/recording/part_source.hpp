// A recording → the events of its ranks in one part of it.
//
// A message crosses the part's border if only one of its ends is in the part, and a collective call if only some of its
// ranks begin it there. A replay leaves these out, and a warning counts them.
#pragma once

#include "base/error.hpp"
#include "input/trace/recording/recording_source.hpp"
#include "model/replay_part.hpp"

namespace kakehashi {

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
