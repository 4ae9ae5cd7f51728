#include "workload/dry_run.hpp"

namespace kakehashi {

bool run_dry(const Job& job, Rank& rank, const std::function<bool(const Operation&)>& visit) {
  const auto program = job.program(rank);
  rank.resume_point = program.handle();
  for (std::uint32_t requests = 0;; ++requests) {
    rank.pending = nullptr;
    rank.resume_point.resume();
    if (!rank.pending)
      break;
    rank.pending->request = {requests};
    rank.pending->has_ended = true;
    if (!visit(rank.pending->operation))
      return false;
  }
  program.rethrow_failure();
  return true;
}

} // namespace kakehashi
