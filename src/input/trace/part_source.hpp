// What the ranks of a recording do in a part of it, without what comes before, between and behind.
//
// Messages of which only one end is in the part, and collective calls that not all of their ranks begin there, cross
// its border. A replay leaves them out, and a warning counts them.
#pragma once

#include "base/error.hpp"
#include "input/trace/recording_source.hpp"
#include "model/replay_part.hpp"

namespace kakehashi {

enum class AtBorder { left_out, kept };

// Errors: no rank does anything in the part, with the regions and times that there are; a fault of a file.
Result<std::shared_ptr<const TraceSource>> only_part(std::shared_ptr<const TraceSource> source, int ranks,
                                                     const std::string& file, const ReplayPart& part,
                                                     AtBorder at_border);

// An error if work is counted in instructions, as in the folder, and a border of the part is a time.
std::optional<Error> timeless_part(const std::string& folder, const ReplayPart& part);

// A recording's part, to be replayed. Errors: also those of the recording; it has no times that could be borders.
Result<OpenedRecording> open_part(const std::string& folder, const ReplayPart& part);

} // namespace kakehashi
