// Folding for algorithms that need a power of two of ranks: the largest such number of ranks work, and the others give
// their data to a partner.
//
// Among the first 2·(size - power) ranks the odd ones are idle; the partner of each is the even rank before it.
#pragma once

#include "workload/collective/communicator.hpp"

#include <bit>

namespace kakehashi {

class Folding {
public:
  Folding(int rank, int size)
      : rank_(rank), power_(static_cast<int>(std::bit_floor(static_cast<unsigned>(size)))), extra_(size - power_) {}

  int size() const { return power_; }
  bool has_partner() const { return rank_ < 2 * extra_; }
  bool is_idle() const { return has_partner() && rank_ % 2 == 1; }
  int partner() const { return rank_ ^ 1; }

  // For a rank that works: its number from 0 to size - 1. Ranks and their numbers have the same order.
  int number() const { return has_partner() ? rank_ / 2 : rank_ - extra_; }
  int rank_of(int number) const { return number < extra_ ? 2 * number : number + extra_; }
  // The first rank that a number stands for; for the number `size`, the number of ranks.
  int first_rank_of(int number) const { return rank_of(number); }

private:
  int rank_;
  int power_;
  int extra_;
};

// Idle ranks send their vectors to their partners, who add them.
inline Program fold(Communicator comm, Folding folding, Blocks vector) {
  if (folding.is_idle()) {
    co_await comm.send(folding.partner(), vector.all().to_add());
  } else if (folding.has_partner()) {
    co_await comm.receive(folding.partner());
    co_await comm.add(vector.total());
  }
}

// Idle ranks receive the result from their partners.
inline Program unfold(Communicator comm, Folding folding, Blocks vector) {
  if (folding.is_idle())
    co_await comm.receive(folding.partner());
  else if (folding.has_partner())
    co_await comm.send(folding.partner(), vector.all());
}

} // namespace kakehashi
