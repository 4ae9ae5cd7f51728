// Puts of all ranks → how many messages each place that stays for them takes.
#pragma once

#include "base/error.hpp"
#include "model/schedule.hpp"

namespace kakehashi {

// An append without use_once takes all that come; in the result they are counted. Errors: another append could take
// them: our ranks learn what ended, not which place took a message.
Result<Schedule> with_counted_messages(Schedule schedule);

} // namespace kakehashi
