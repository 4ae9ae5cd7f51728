// A recording → the events of its ranks with other numbers of repetitions of its loops.
#pragma once

#include "input/growth/call_loops.hpp"

namespace kakehashi {

// `calls` is the number of calls of all ranks. `ranges` are ranges of these; each call comes with what a rank does
// since the previous one. What follows the last call follows the last range.
std::shared_ptr<const TraceSource> looped_source(const SurveyedSize& size, std::size_t calls,
                                                 std::vector<CallRange> ranges);

} // namespace kakehashi
