// The puts of all ranks → the number of messages for each place that takes more than one.
#pragma once

#include "base/error.hpp"
#include "model/schedule.hpp"

namespace kakehashi {

// Counts the messages of each append without use_once, which takes all that come. Errors: another append could take
// them; our ranks see that a message has ended, but not which place took it.
Result<Schedule> with_counted_messages(Schedule schedule);

} // namespace kakehashi
