#include "workload/dry_run.hpp"

#include <algorithm>
#include <optional>
#include <set>

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

namespace {

// Leaves out rounds as engine/mpi/rounds.cpp would: a loop comes into step, repeats itself for some rounds, and ends.
class SettledRounds : public RoundObserver {
public:
  int begins(int, int left) override {
    constexpr int simulated = 6 * 64;
    done_ = left_ == 0 ? 1 : done_ + 1;
    left_ = left;
    const int leave_out = done_ == simulated && left > 0 ? left - 1 : 0; // never leaves out the last one
    left_ -= leave_out;
    return leave_out;
  }

private:
  int done_ = 0;
  int left_ = 0;
};

// Returns the rank that the operation sends to.
std::optional<int> partner_of(const Operation& operation) {
  if (const auto* send = std::get_if<SendOperation>(&operation))
    return send->to;
  if (const auto* both = std::get_if<SendReceiveOperation>(&operation))
    return both->send.to;
  if (const auto* remote = std::get_if<RemoteOperation>(&operation))
    return remote->peer;
  return std::nullopt;
}

// Calls `sends` with the partner of each message that the rank sends.
void for_each_send(const Job& job, Rank& rank, const std::function<void(int partner)>& sends) {
  run_dry(job, rank, [&](const Operation& operation) {
    if (const auto partner = partner_of(operation))
      sends(*partner);
    return true;
  });
}

std::size_t sends_of(const Job& job, int id, int ranks, bool leaves_out_rounds) {
  Rank rank(id, ranks);
  SettledRounds rounds;
  if (leaves_out_rounds && job.has_one_call_at_a_time)
    rank.rounds = &rounds;
  std::size_t count = 0;
  for_each_send(job, rank, [&](int) { ++count; });
  return count;
}

} // namespace

std::size_t count_partners(const Job& job, int ranks) {
  Rank rank(ranks / 2, ranks);
  std::set<int> partners;
  for_each_send(job, rank, [&](int partner) { partners.insert(partner); });
  return partners.size();
}

double count_sends(const Job& job, int ranks, bool leaves_out_rounds) {
  constexpr int operations = 1 << 16; // number of operations if each rank sends to all
  const int asked = std::min(ranks, std::clamp(operations / ranks, 8, 64));
  std::size_t count = 0;
  for (int i = 0; i < asked; ++i) {
    const auto part = ranks / asked;
    count +=
        sends_of(job, i * part + static_cast<int>(static_cast<unsigned>(i) * 2654435761u % static_cast<unsigned>(part)),
                 ranks, leaves_out_rounds);
  }
  return static_cast<double>(count) * ranks / asked;
}

} // namespace kakehashi
