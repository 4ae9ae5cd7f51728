// The events of a step of training → Chrome's trace event format, which Perfetto shows.
#pragma once

#include "result/training_step.hpp"

#include <ostream>

namespace kakehashi {

// A process for each stage, and a thread for each of its streams.
void write_step_trace(const StepTimes& times, std::ostream& out);

} // namespace kakehashi
