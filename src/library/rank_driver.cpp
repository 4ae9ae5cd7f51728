#include "library/rank_driver.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace kakehashi::api {
namespace {

using kakehashi::Collective;

kakehashi::Bytes bytes(Bytes size) {
  return {size.count};
}

// Returns nothing for operations that are not collective.
std::optional<Collective> collective_of(OperationKind kind) {
  switch (kind) {
  case OperationKind::barrier: return Collective::barrier;
  case OperationKind::bcast: return Collective::bcast;
  case OperationKind::reduce: return Collective::reduce;
  case OperationKind::allreduce: return Collective::allreduce;
  case OperationKind::gather: return Collective::gather;
  case OperationKind::scatter: return Collective::scatter;
  case OperationKind::allgather: return Collective::allgather;
  case OperationKind::alltoall: return Collective::alltoall;
  case OperationKind::reduce_scatter: return Collective::reduce_scatter;
  case OperationKind::scan: return Collective::scan;
  case OperationKind::exscan: return Collective::exscan;
  case OperationKind::gatherv: return Collective::gatherv;
  case OperationKind::scatterv: return Collective::scatterv;
  case OperationKind::allgatherv: return Collective::allgatherv;
  case OperationKind::alltoallv: return Collective::alltoallv;
  default: return std::nullopt;
  }
}

bool is_of_blocks(Collective collective) {
  return collective == Collective::gather || collective == Collective::scatter || collective == Collective::allgather ||
         collective == Collective::alltoall || collective == Collective::reduce_scatter;
}

bool has_sizes(OperationKind kind) {
  return kind == OperationKind::gatherv || kind == OperationKind::scatterv || kind == OperationKind::allgatherv ||
         kind == OperationKind::alltoallv;
}

// Returns where each rank's block begins, and at last where the last block ends.
std::vector<std::uint64_t> begins_of(const std::vector<Bytes>& sizes) {
  std::vector<std::uint64_t> begins{0};
  for (const auto size : sizes)
    begins.push_back(begins.back() + size.count);
  return begins;
}

std::vector<kakehashi::Request> requests(const Operation& operation) {
  std::vector<kakehashi::Request> list;
  for (const auto request : operation.requests)
    list.push_back({request.index});
  return list;
}

// Translates an operation that is not collective.
kakehashi::Operation to_engine(const Operation& operation) {
  const auto size = bytes(operation.size);
  const auto tag = operation.tag;
  switch (operation.kind) {
  case OperationKind::send: return SendOperation{operation.to, size, tag, true};
  case OperationKind::isend: return SendOperation{operation.to, size, tag, false};
  case OperationKind::receive: return ReceiveOperation{operation.from, tag, true};
  case OperationKind::ireceive: return ReceiveOperation{operation.from, tag, false};
  case OperationKind::sendreceive:
    return SendReceiveOperation{{operation.to, size, tag, true}, {operation.from, tag, true}};
  case OperationKind::put: return RemoteOperation{operation.to, size, false, true};
  case OperationKind::get: return RemoteOperation{operation.from, size, true, true};
  case OperationKind::iput: return RemoteOperation{operation.to, size, false, false};
  case OperationKind::wait_all: return WaitOperation{requests(operation), false};
  case OperationKind::wait_any: return WaitOperation{requests(operation), true};
  case OperationKind::test: return TestOperation{{operation.requests.front().index}};
  default: return ComputeOperation{{operation.time.value}, {}};
  }
}

bool starts_request(OperationKind kind) {
  return kind == OperationKind::isend || kind == OperationKind::ireceive || kind == OperationKind::iput;
}

bool uses_from(OperationKind kind) {
  return kind == OperationKind::receive || kind == OperationKind::ireceive || kind == OperationKind::sendreceive ||
         kind == OperationKind::get;
}

bool is_receive(OperationKind kind) {
  return kind == OperationKind::receive || kind == OperationKind::ireceive;
}

} // namespace

kakehashi::Error RankDriver::error(const std::string& text) const {
  return run_error(fmt::format("rank {} at {} us: {}", rank_.id(), in_microseconds(state_.now), text));
}

bool RankDriver::advance() {
  state_.now = {engine_.clock.value};
  state_.pending = nullptr;
  state_.resume_point.resume();
  return !program_->done();
}

std::optional<std::string> RankDriver::fault(const Operation& operation) const {
  const auto expected = [](const std::string& what, auto found, const std::string& form) {
    return fmt::format("{}: {}", what, mismatch(fmt::format("{}", found), form));
  };
  const auto is_rank = [&](int id) { return id >= 0 && id < rank_.size(); };
  const auto ranks = fmt::format("a rank from 0 to {}", rank_.size() - 1);
  if (!is_rank(operation.to))
    return expected(collective_of(operation.kind) ? "root" : "receiver", operation.to, ranks);
  const bool any_is_fine = operation.kind != OperationKind::get && operation.from == any_source;
  if (uses_from(operation.kind) && !is_rank(operation.from) && !any_is_fine)
    return expected("sender", operation.from, ranks);
  if (operation.tag < 0 && !(is_receive(operation.kind) && operation.tag == any_tag))
    return expected("tag", operation.tag, "0 or more");
  if (has_sizes(operation.kind) && operation.sizes.size() != static_cast<std::size_t>(rank_.size()))
    return expected("number of sizes", operation.sizes.size(), std::to_string(rank_.size()));
  if (operation.size.count > largest_size.count)
    return expected("size", operation.size.count, std::string(bytes_range));
  for (const auto size : operation.sizes)
    if (size.count > largest_size.count)
      return expected("size", size.count, std::string(bytes_range));
  if (!(operation.time.value >= 0) || !std::isfinite(operation.time.value))
    return expected("time", operation.time.value, "0 s or more");
  for (const auto request : operation.requests)
    if (request.index >= requests_)
      return expected("request", request.index, "one that this rank has started");
  if (operation.kind == OperationKind::wait_any && operation.requests.empty())
    return "wait_any: got no request, expected at least one";
  return std::nullopt;
}

kakehashi::Program RankDriver::perform_collective(Collective collective, const Operation& operation) {
  CollectiveEvent event;
  event.collective = collective;
  event.root = operation.to;
  event.size = bytes(operation.size);
  for (const auto size : operation.sizes)
    event.sizes.push_back(size.count);
  const auto place = fmt::format("at {} us", in_microseconds(state_.now));
  if (auto differs = shared_.calls.make(rank_.id(), rank_.id(), event, "program", place))
    co_await engine_.fail(std::move(*differs));
  const auto begins = begins_of(operation.sizes); // outlives the call
  Call call;
  call.blocks = has_sizes(operation.kind)  ? Blocks::listed(begins)
                : is_of_blocks(collective) ? Blocks::equal(bytes(operation.size), rank_.size())
                                           : Blocks::whole(bytes(operation.size));
  call.root = operation.to;
  co_await kakehashi::perform(world_, collective, call);
}

kakehashi::Program RankDriver::perform(const Operation& operation) {
  if (const auto text = fault(operation))
    co_await engine_.fail(error(*text));
  if (const auto collective = collective_of(operation.kind)) {
    co_await perform_collective(*collective, operation);
    co_return;
  }
  const auto found = co_await engine_.perform_fully(to_engine(operation));
  if (starts_request(operation.kind))
    requests_ = found.request.index + 1;
  auto& outcome = state_.outcome;
  outcome.request = {found.request.index};
  outcome.status = {found.received.from, found.received.tag};
  outcome.has_ended = found.has_ended;
  const auto ended = std::ranges::find(operation.requests, found.request.index, &Request::index);
  outcome.which = static_cast<std::size_t>(ended - operation.requests.begin());
}

kakehashi::Program RankDriver::drive(const ProgramFunction& function) {
  bool goes_on = false;
  try {
    program_.emplace(function(rank_));
    state_.resume_point = program_->handle();
    goes_on = advance();
  } catch (...) {
    shared_.thrown = std::current_exception();
  }
  while (goes_on) {
    if (!state_.pending)
      co_await engine_.fail(error("the program awaits something that is no operation of its own rank"));
    co_await perform(*state_.pending);
    goes_on = advance();
  }
  try {
    if (program_)
      program_->rethrow_failure();
  } catch (...) {
    shared_.thrown = std::current_exception();
  }
  if (shared_.thrown)
    co_await engine_.fail(error("the program has thrown"));
}

} // namespace kakehashi::api
