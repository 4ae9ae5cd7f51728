// A scenario → why one of its messages, or the whole run, takes its time.
#pragma once

#include "model/scenario.hpp"
#include "result/explanation.hpp"
#include "study/explain/parameter.hpp"
#include "study/pool/pool.hpp"
#include "study/run/run.hpp"
#include "transport/path.hpp"

namespace kakehashi {

// Explains a message between two devices on the scenario's fabric, with nothing else on the machine.
Result<MessageExplanation> explain_message(const Scenario& scenario, std::size_t from, std::size_t to, Bytes size,
                                           int jobs, const StudyProgress& progress);

// Explains the whole scenario.
Result<RunExplanation> explain_run(const Scenario& scenario, const RunPlan& plan, int jobs,
                                   const StudyProgress& progress);

// Returns a scenario in which one message goes from one device to another.
Scenario one_message(const Scenario& like, std::size_t from, std::size_t to, Bytes size);

// Returns where a device on a path reads or writes the memory of a device on another socket, at a rate of its own.
std::vector<Crossing> crossings_of(const Path& path, const Platform& platform);

} // namespace kakehashi
