// Ranks as coroutines that read like MPI code. A rank's program runs until it asks for an operation; the engine
// performs the operation and resumes the program. Nothing is produced before it is needed.
//
//   Program ping(Rank& rank) {
//     co_await rank.send(1, Bytes{8});
//     co_await rank.receive(1);
//   }
#pragma once

#include "model/device_kind.hpp"
#include "workload/operation.hpp"

#include <cassert>
#include <coroutine>
#include <exception>
#include <fmt/format.h>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>

namespace kakehashi {

// A coroutine that asks for operations. A program may co_await another program, as a function calls a function.
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

  std::coroutine_handle<> handle() const { return handle_; }
  bool done() const { return handle_.done(); }
  void rethrow_failure() const {
    if (handle_.promise().failure)
      std::rethrow_exception(handle_.promise().failure);
  }

  // co_await runs this program to its end.
  bool await_ready() const { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> caller) {
    handle_.promise().caller = caller;
    return handle_;
  }
  void await_resume() const { rethrow_failure(); }

private:
  explicit Program(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
  std::coroutine_handle<promise_type> handle_;
};

// The place of a rank's program in the recording that it replays, for messages.
struct TracePlace {
  const std::string* file = nullptr; // null: the rank replays nothing
  std::uint64_t line = 0;
  std::string_view collective;    // the collective call that it is in; empty: none
  std::string_view unit = "line"; // what `line` counts
  std::string_view site;          // the call's place in the recorded program, "solve+0x1c (heat)"; empty: unknown
  std::string_view region;        // region of the recorded program; empty: none
  std::uint32_t number = 0;       // the place's number in the profile of calls; 0: none

  std::string text() const { return fmt::format("{} {}", unit, line); }
};

// Sees each round of loops in which all ranks of the world do the same with the same partners, one message each.
class RoundObserver {
public:
  virtual ~RoundObserver() = default;
  // The rank begins a round; `left` rounds follow it. Returns how many of these to leave out; never the last one.
  virtual int begins(int rank, int left) = 0;
};

// A rank as its program sees it. The engine keeps the clock up to date.
class Rank {
public:
  Rank(int rank_id, int rank_count) : id(rank_id), size(rank_count) {}

  // The members that every operation needs fit in one cache line.
  const int id;
  const int size;
  DeviceKind kind = DeviceKind::cpu; // kind of the device on which it runs
  Seconds clock;                     // the current time
  bool has_new_data = false;         // in the collective call that it is in it has received, added or packed data
  bool waits_for_any = false;        // it uses wait_for_any(), and does from its first operation on
  Bytes working_set;                 // the data that it uses again and again; 0: only the message at hand and its copy
  // The program is suspended here and waits for `pending`, which lives in the program.
  std::coroutine_handle<> resume_point;
  PendingOperation* pending = nullptr;
  RoundObserver* rounds = nullptr; // null: nobody observes rounds
  std::uint64_t asked = 0;         // number of operations so far

  TracePlace place;
  std::function<std::uint64_t(Request)> line_of; // returns the line that started a request, 0 if unknown; may be empty

  // co_await of an operation returns a member of PendingOperation, all of it, or nothing.
  struct Everything {};
  template <auto Result> struct Awaiter {
    Rank& rank;
    PendingOperation pending;
    bool await_ready() const { return false; }
    void await_suspend(std::coroutine_handle<> program) {
      rank.pending = &pending;
      rank.resume_point = program;
    }
    auto await_resume() const {
      if constexpr (std::is_same_v<std::remove_const_t<decltype(Result)>, Everything>)
        return pending;
      else if constexpr (Result != nullptr)
        return pending.*Result;
    }
  };
  using Done = Awaiter<nullptr>;
  using Receiving = Awaiter<&PendingOperation::received>;    // → the source and the tag
  using Starting = Awaiter<&PendingOperation::request>;      // → the request
  using WaitingForAny = Awaiter<&PendingOperation::request>; // → the request that ended
  using Testing = Awaiter<&PendingOperation::has_ended>;     // → whether the request has ended

  Done send(int to, Bytes bytes, int tag = 0, LaneNumber lane = own_lane, bool is_modified = false) {
    return ask<Done>(SendOperation{to, bytes, tag, true, lane, is_modified});
  }
  Starting isend(int to, Bytes bytes, int tag = 0, LaneNumber lane = own_lane, bool is_modified = false) {
    return ask<Starting>(SendOperation{to, bytes, tag, false, lane, is_modified});
  }
  Receiving receive(int from, int tag = 0) { return ask<Receiving>(ReceiveOperation{from, tag, true}); }
  Starting ireceive(int from, int tag = 0) { return ask<Starting>(ReceiveOperation{from, tag, false}); }
  Receiving sendreceive(int to, Bytes bytes, int from, int tag = 0, LaneNumber lane = own_lane,
                        bool is_modified = false) {
    return ask<Receiving>(SendReceiveOperation{{to, bytes, tag, true, lane, is_modified}, {from, tag, true}});
  }
  Done put(int to, Bytes bytes, LaneNumber lane = own_lane) {
    return ask<Done>(RemoteOperation{to, bytes, false, true, lane});
  }
  Done get(int from, Bytes bytes, LaneNumber lane = own_lane) {
    return ask<Done>(RemoteOperation{from, bytes, true, true, lane});
  }
  Starting iput(int to, Bytes bytes, LaneNumber lane = own_lane) {
    return ask<Starting>(RemoteOperation{to, bytes, false, false, lane});
  }
  Done wait(Request request) { return ask<Done>(WaitOperation{{request}, false}); }
  Done wait_all(std::vector<Request> requests) { return ask<Done>(WaitOperation{std::move(requests), false}); }
  // There is at least one request.
  WaitingForAny wait_any(std::vector<Request> requests) {
    assert(!requests.empty());
    return ask<WaitingForAny>(WaitOperation{std::move(requests), true});
  }
  // Of all requests that it has begun and has not been told of: the oldest of those that have ended, or the first to
  // end.
  WaitingForAny wait_for_any() { return ask<WaitingForAny>(WaitOperation{{}, true}); }
  Done compute(Seconds time, Bytes traffic = {}) { return ask<Done>(ComputeOperation{time, traffic}); }
  Done compute_in_call(Seconds time, Bytes traffic = {}, LaneNumber lane = own_lane) {
    return ask<Done>(ComputeOperation{time, traffic, true, true, lane});
  }
  Done copy(Bytes bytes, LaneNumber from, LaneNumber to, Seconds start) {
    return ask<Done>(CopyOperation{bytes, from, to, start});
  }
  Starting icompute(Seconds time, LaneNumber lane = aside_lane) {
    return ask<Starting>(ComputeOperation{time, {}, false, false, lane});
  }
  Testing test(Request request) { return ask<Testing>(TestOperation{request}); }
  Done fail(Error error) { return ask<Done>(FailOperation{std::make_shared<const Error>(std::move(error))}); }

  // Performs any operation and returns the whole answer; only the members that belong to the operation have a meaning.
  Awaiter<Everything{}> perform_fully(Operation operation) { return ask<Awaiter<Everything{}>>(std::move(operation)); }
  // Performs any operation and returns the request of a nonblocking one.
  Starting perform(Operation&& operation) { return ask<Starting>(std::move(operation)); }

private:
  template <class Awaited, class Asked> Awaited ask(Asked&& operation) {
    ++asked;
    return {*this, {std::forward<Asked>(operation), {}, {}, false}};
  }
};

} // namespace kakehashi
