// A recording → what its ranks would do with other numbers of repetitions of its loops.
#pragma once

#include "input/growth/call_loops.hpp"

namespace kakehashi {

// calls: how many are of all ranks. ranges: of these, each with what a rank does since the one before. What follows the
// last call follows the last range.
std::shared_ptr<const TraceSource> looped_source(const SurveyedSize& size, std::size_t calls,
                                                 std::vector<CallRange> ranges);

} // namespace kakehashi
