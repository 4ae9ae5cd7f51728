// Ranks as coroutines that read like MPI code. A rank's program runs until it asks for an operation; the engine
// performs the operation and resumes it. Nothing is produced before it is needed.
//
//   Program ping(Rank& rank) {
//     co_await rank.send(1, Bytes{8});
//     co_await rank.receive(1);
//   }
#pragma once

#include "workload/operation.hpp"

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
          const auto caller = done.promise().caller;
          return caller ? caller : std::noop_coroutine();
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

  // co_await of a program runs it to its end.
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

// Where a rank's program stands in what it replays, for messages.
struct TracePlace {
  const std::string* file = nullptr; // null: it replays nothing
  std::uint64_t line = 0;
  std::string_view collective;    // inside which it is; empty: none
  std::string_view unit = "line"; // what `line` counts

  std::string text() const { return fmt::format("{} {}", unit, line); }
};

// A rank as its program sees it. The engine keeps clock, request and resume_point up to date.
class Rank {
public:
  Rank(int rank_id, int rank_count) : id(rank_id), size(rank_count) {}

  const int id;
  const int size;
  Seconds clock; // now

  // The program waits here, asking for `pending`, which lives in the program.
  std::coroutine_handle<> resume_point;
  const Operation* pending = nullptr;
  Request started;                // by the last nonblocking operation
  int received_from = any_source; // by the last receive that ended
  int received_tag = any_tag;
  bool has_ended = false; // what the last test found
  Request ended;          // that the last wait for any of several found

  TracePlace place;
  std::function<std::uint64_t(Request)> line_of; // the line that started a request, 0 if unknown; may be empty

  struct Awaiter {
    Rank& rank;
    Operation operation;
    bool await_ready() const { return false; }
    void await_suspend(std::coroutine_handle<> program) {
      rank.pending = &operation;
      rank.resume_point = program;
    }
    Request await_resume() const { return rank.started; }
  };

  Awaiter perform(Operation operation) { return {*this, std::move(operation)}; }
  Awaiter send(int to, Bytes bytes, int tag = 0) { return {*this, SendOperation{to, bytes, tag, true}}; }
  Awaiter isend(int to, Bytes bytes, int tag = 0) { return {*this, SendOperation{to, bytes, tag, false}}; }
  Awaiter receive(int from, int tag = 0) { return {*this, ReceiveOperation{from, tag, true}}; }
  Awaiter ireceive(int from, int tag = 0) { return {*this, ReceiveOperation{from, tag, false}}; }
  Awaiter sendreceive(int to, Bytes bytes, int from, int tag = 0) {
    return {*this, SendReceiveOperation{{to, bytes, tag, true}, {from, tag, true}}};
  }
  Awaiter put(int to, Bytes bytes) { return {*this, RemoteOperation{to, bytes, false, true}}; }
  Awaiter get(int from, Bytes bytes) { return {*this, RemoteOperation{from, bytes, true, true}}; }
  Awaiter iput(int to, Bytes bytes) { return {*this, RemoteOperation{to, bytes, false, false}}; }
  Awaiter wait(Request request) { return {*this, WaitOperation{{request}, false}}; }
  Awaiter wait_all(std::vector<Request> requests) { return {*this, WaitOperation{std::move(requests), false}}; }
  Awaiter wait_any(std::vector<Request> requests) { return {*this, WaitOperation{std::move(requests), true}}; }
  Awaiter compute(Seconds time) { return {*this, ComputeOperation{time}}; }
  Awaiter test(Request request) { return {*this, TestOperation{request}}; }
  Awaiter fail(Error error) { return {*this, FailOperation{std::make_shared<const Error>(std::move(error))}}; }
};

} // namespace kakehashi
