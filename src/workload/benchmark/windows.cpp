// A window of messages in flight at once.
#include "workload/benchmark/kind.hpp"
#include "workload/program.hpp"

namespace kakehashi {
namespace {

constexpr int data_tag = 100;
constexpr int reply_tag = 101;
constexpr Bytes reply_size{4};

} // namespace

// Rank 0 sends the window; rank 1 answers once it has received all of it.
Program window_one_way(Rank& rank, Bytes size, int window) {
  std::vector<Request> requests;
  for (int i = 0; i < window; ++i) {
    if (rank.id == 0) // g++ 12 would await both sides of ?:
      requests.push_back(co_await rank.isend(1, size, data_tag));
    else
      requests.push_back(co_await rank.ireceive(0, data_tag));
  }
  co_await rank.wait_all(std::move(requests));
  if (rank.id == 0)
    co_await rank.receive(1, reply_tag);
  else
    co_await rank.send(0, reply_size, reply_tag);
}

// Both ranks send a window and receive one.
Program window_both_ways(Rank& rank, Bytes size, int window) {
  const int other = 1 - rank.id;
  std::vector<Request> requests;
  for (int i = 0; i < window; ++i)
    requests.push_back(co_await rank.ireceive(other, data_tag));
  for (int i = 0; i < window; ++i)
    requests.push_back(co_await rank.isend(other, size, data_tag));
  co_await rank.wait_all(std::move(requests));
}

} // namespace kakehashi
