// Programs that users write: coroutines that read like MPI. They co_await every operation and get its result.
//
//   Program ping_pong(Rank& rank) {
//     if (rank.id() == 0) {
//       co_await rank.send(1, 8 * B);
//       co_await rank.receive(1);
//     } else if (rank.id() == 1) {
//       const Status status = co_await rank.receive(any_source);
//       co_await rank.send(status.source, 8 * B);
//     }
//   }
//
// A program may co_await another one, as a function calls a function. g++ 12 compiles no braced list inside a co_await;
// give such a list a name first. A lambda with captures that makes programs must live until the run ends; run() keeps
// the one that it gets.
#pragma once

#include "kakehashi/units.hpp"

#include <coroutine>
#include <exception>
#include <type_traits>
#include <utility>
#include <vector>

namespace kakehashi::api {

inline constexpr int any_source = -1;
inline constexpr int any_tag = -1;

// A nonblocking operation. It belongs to one run and to the rank that started it.
struct Request {
  std::uint32_t index = 0;
};

// The source and tag of a received message.
struct Status {
  int source = any_source;
  int tag = any_tag;
};

class [[nodiscard]] Program {
public:
  struct promise_type {
    std::coroutine_handle<> caller;
    std::exception_ptr failure;

    Program get_return_object() { return Program(std::coroutine_handle<promise_type>::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    auto final_suspend() noexcept {
      struct ReturnToCaller {
        bool await_ready() noexcept { return false; }
        std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> done) noexcept {
          const auto next = done.promise().caller;
          return next ? next : std::noop_coroutine();
        }
        void await_resume() noexcept {}
      };
      return ReturnToCaller{};
    }
    void return_void() {}
    void unhandled_exception() { failure = std::current_exception(); }
  };

  Program(Program&& other) noexcept : handle_(std::exchange(other.handle_, {})) {}
  Program& operator=(Program&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Program() {
    if (handle_)
      handle_.destroy();
  }

  // co_await runs this program to its end and throws what it threw.
  bool await_ready() const { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> caller) {
    handle_.promise().caller = caller;
    return handle_;
  }
  void await_resume() const { rethrow_failure(); }

  // The library runs the program through these.
  std::coroutine_handle<> handle() const { return handle_; }
  bool done() const { return handle_.done(); }
  void rethrow_failure() const {
    if (handle_.promise().failure)
      std::rethrow_exception(handle_.promise().failure);
  }

private:
  explicit Program(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
  std::coroutine_handle<promise_type> handle_;
};

// The library's side: the operation that a rank asks for, and the result that it gets.
enum class OperationKind {
  send,
  isend,
  receive,
  ireceive,
  sendreceive,
  put,
  get,
  iput,
  wait_all,
  wait_any,
  test,
  compute,
  barrier,
  bcast,
  reduce,
  allreduce,
  gather,
  scatter,
  allgather,
  alltoall,
  reduce_scatter,
  scan,
  exscan,
  gatherv,
  scatterv,
  allgatherv,
  alltoallv
};
struct Operation {
  OperationKind kind = OperationKind::compute;
  int to = 0; // a collective operation's root
  int from = 0;
  int tag = 0;
  Bytes size{};
  Seconds time{};
  std::vector<Request> requests{};
  std::vector<Bytes> sizes{}; // the sizes of gatherv, scatterv, allgatherv, alltoallv
};
struct Outcome {
  Request request;
  Status status;
  std::size_t which = 0;
  bool has_ended = false;
};
struct RankState {
  Seconds now;
  const Operation* pending = nullptr;   // lives in the awaiting program
  std::coroutine_handle<> resume_point; // where that program goes on
  Outcome outcome;
};

// A rank of a run, as its program sees it. Ranks are numbered from 0 to size() - 1. run() throws an Error if the
// program names a peer or root that is no rank, a tag below 0 (other than any_tag), a negative time, or a request that
// this rank has not started.
class Rank {
public:
  Rank(int id, int size, RankState& state) : id_(id), size_(size), state_(&state) {}
  Rank(const Rank&) = delete;
  Rank& operator=(const Rank&) = delete;

  int id() const { return id_; }
  int size() const { return size_; }
  Seconds now() const { return state_->now; } // since the run began

  template <class Value> struct [[nodiscard]] Awaitable {
    RankState& state;
    Operation operation;
    bool await_ready() const { return false; }
    void await_suspend(std::coroutine_handle<> program) {
      state.pending = &operation;
      state.resume_point = program;
    }
    Value await_resume() const {
      if constexpr (std::is_same_v<Value, Request>)
        return state.outcome.request;
      else if constexpr (std::is_same_v<Value, Status>)
        return state.outcome.status;
      else if constexpr (std::is_same_v<Value, std::size_t>)
        return state.outcome.which;
      else if constexpr (std::is_same_v<Value, bool>)
        return state.outcome.has_ended;
    }
  };
  using Done = Awaitable<void>;

  // Messages between two ranks, as MPI matches them: by source and tag, in the order in which they were sent.
  Done send(int to, Bytes size, int tag = 0) { return {*state_, {OperationKind::send, to, 0, tag, size}}; }
  Awaitable<Request> isend(int to, Bytes size, int tag = 0) {
    return {*state_, {OperationKind::isend, to, 0, tag, size}};
  }
  Awaitable<Status> receive(int from, int tag = 0) { return {*state_, {OperationKind::receive, 0, from, tag}}; }
  Awaitable<Request> ireceive(int from, int tag = 0) { return {*state_, {OperationKind::ireceive, 0, from, tag}}; }
  Awaitable<Status> sendreceive(int to, Bytes size, int from, int tag = 0) {
    return {*state_, {OperationKind::sendreceive, to, from, tag, size}};
  }

  // Access the memory of another rank, which takes no part; they end when the data has arrived.
  Done put(int to, Bytes size) { return {*state_, {OperationKind::put, to, 0, 0, size}}; }
  Done get(int from, Bytes size) { return {*state_, {OperationKind::get, 0, from, 0, size}}; }
  Awaitable<Request> iput(int to, Bytes size) { return {*state_, {OperationKind::iput, to, 0, 0, size}}; }

  Done wait(Request request) { return wait_all({request}); }
  Done wait_all(std::vector<Request> requests) {
    return {*state_, {OperationKind::wait_all, 0, 0, 0, {}, {}, std::move(requests)}};
  }
  // Returns the index of a request that has ended; the list has at least one.
  Awaitable<std::size_t> wait_any(std::vector<Request> requests) {
    return {*state_, {OperationKind::wait_any, 0, 0, 0, {}, {}, std::move(requests)}};
  }
  Awaitable<bool> test(Request request) { return {*state_, {OperationKind::test, 0, 0, 0, {}, {}, {request}}}; }

  // Keeps the rank's core busy.
  Done compute(Seconds time) { return {*state_, {OperationKind::compute, 0, 0, 0, {}, time}}; }

  // Collective operations of all ranks, with the algorithms of the machine's MPI library. All ranks make the same calls
  // in the same order. `vector` is the size of each rank's vector, `each` the size of the block that goes to or comes
  // from each rank.
  Done barrier() { return {*state_, {OperationKind::barrier}}; }
  Done bcast(Bytes vector, int root) { return {*state_, {OperationKind::bcast, root, 0, 0, vector}}; }
  Done reduce(Bytes vector, int root) { return {*state_, {OperationKind::reduce, root, 0, 0, vector}}; }
  Done allreduce(Bytes vector) { return {*state_, {OperationKind::allreduce, 0, 0, 0, vector}}; }
  Done gather(Bytes each, int root) { return {*state_, {OperationKind::gather, root, 0, 0, each}}; }
  Done scatter(Bytes each, int root) { return {*state_, {OperationKind::scatter, root, 0, 0, each}}; }
  Done allgather(Bytes each) { return {*state_, {OperationKind::allgather, 0, 0, 0, each}}; }
  Done alltoall(Bytes each) { return {*state_, {OperationKind::alltoall, 0, 0, 0, each}}; }
  Done reduce_scatter(Bytes each) { return {*state_, {OperationKind::reduce_scatter, 0, 0, 0, each}}; }
  Done scan(Bytes vector) { return {*state_, {OperationKind::scan, 0, 0, 0, vector}}; }
  Done exscan(Bytes vector) { return {*state_, {OperationKind::exscan, 0, 0, 0, vector}}; }

  // One size for each rank: for gatherv, scatterv and allgatherv the blocks of all ranks, the same list on all of them;
  // for alltoallv the blocks that this rank sends.
  Done gatherv(std::vector<Bytes> of_each, int root) {
    return {*state_, {OperationKind::gatherv, root, 0, 0, {}, {}, {}, std::move(of_each)}};
  }
  Done scatterv(std::vector<Bytes> of_each, int root) {
    return {*state_, {OperationKind::scatterv, root, 0, 0, {}, {}, {}, std::move(of_each)}};
  }
  Done allgatherv(std::vector<Bytes> of_each) {
    return {*state_, {OperationKind::allgatherv, 0, 0, 0, {}, {}, {}, std::move(of_each)}};
  }
  Done alltoallv(std::vector<Bytes> to_each) {
    return {*state_, {OperationKind::alltoallv, 0, 0, 0, {}, {}, {}, std::move(to_each)}};
  }

private:
  int id_;
  int size_;
  RankState* state_;
};

} // namespace kakehashi::api
