#include "workload/replay.hpp"

#include "workload/collective/algorithms.hpp"
#include "workload/collective/libraries.hpp"
#include "workload/replay_parts.hpp"
#include "workload/side_programs.hpp"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>
#include <optional>

namespace kakehashi {
namespace {

// Returns where the blocks of a call begin, if their sizes may differ.
std::vector<std::uint64_t> begins_of(const CollectiveEvent& event, const Communicator& comm) {
  std::vector<std::uint64_t> begins(static_cast<std::size_t>(comm.size()) + 1, 0);
  if (event.collective == Collective::gatherv) // the sizes of the others' blocks are unknown and not needed
    std::fill(begins.begin() + comm.rank() + 1, begins.end(), event.size.count);
  for (std::size_t i = 0; i < event.sizes.size(); ++i)
    begins[i + 1] = begins[i] + event.sizes[i];
  return begins;
}

Blocks blocks_of(const CollectiveEvent& event, const Communicator& comm, const std::vector<std::uint64_t>& begins) {
  switch (row_of(event.collective).division) {
  case Division::equal_blocks: return Blocks::equal(event.size, comm.size());
  case Division::listed_blocks:
  case Division::own_block: return Blocks::listed(begins);
  case Division::none:
  case Division::whole: break;
  }
  return Blocks::whole(event.size);
}

// Returns the operation that performs an event; none if it takes more than one operation.
std::optional<Operation> operation_of(const TraceEvent& event, TagTable& tags, ReplaySpeed speed) {
  const auto sent = [&](const SendEvent& send) {
    return SendOperation{*send.to, send.size, tags.tag_of(send.context, send.tag), send.blocking};
  };
  const auto received = [&](const ReceiveEvent& receive) {
    assert(receive.tag || receive.context == 0);
    return ReceiveOperation{receive.from.value_or(any_source),
                            receive.tag ? tags.tag_of(receive.context, *receive.tag) : any_tag, receive.blocking};
  };
  if (const auto* compute = std::get_if<ComputeEvent>(&event.what))
    return ComputeOperation{compute->work / speed.speed, {}};
  if (const auto* elapse = std::get_if<ElapseEvent>(&event.what))
    return ComputeOperation{
        (elapse->is_work ? speed.slowdown : 1) * elapse->time, {}, true, !elapse->is_work}; // as in a call on files
  if (const auto* receive = std::get_if<ReceiveEvent>(&event.what))
    return received(*receive);
  if (const auto* send = std::get_if<SendEvent>(&event.what); send && send->to)
    return sent(*send);
  if (const auto* both = std::get_if<SendReceiveEvent>(&event.what)) {
    if (!both->send.to)
      return received(both->receive);
    return SendReceiveOperation{sent(both->send), received(both->receive)};
  }
  if (const auto* remote = std::get_if<RemoteEvent>(&event.what))
    return RemoteOperation{remote->peer, remote->size, remote->is_read, false};
  return std::nullopt;
}

// Returns the number of the request that the event starts; 0: it has none.
std::uint64_t number_of(const TraceEvent& event) {
  if (const auto* send = std::get_if<SendEvent>(&event.what))
    return send->request;
  if (const auto* receive = std::get_if<ReceiveEvent>(&event.what))
    return receive->request;
  const auto* remote = std::get_if<RemoteEvent>(&event.what);
  return remote ? remote->request : 0;
}

Operation wait_for(RequestList requests) {
  return WaitOperation{std::move(requests), false};
}

Error unknown_request(const Rank& rank, const RequestName& name) {
  const auto end = [](const std::optional<int>& id) { return id ? fmt::format("rank {}", *id) : "any rank"; };
  return input_error(*rank.place.file, rank.place.text(),
                     fmt::format("rank {} waits for a message from {} to {} ({}), but no such isend or irecv is open",
                                 rank.id, end(name.from), end(name.to),
                                 name.tag ? fmt::format("tag {}", *name.tag) : "any tag"));
}

Error no_member(const Rank& rank) {
  return input_error(*rank.place.file, rank.place.text(),
                     fmt::format("rank {} calls in a communicator that it is not in", rank.id));
}

Program run_test(Rank& rank, OpenRequests& open, RequestName name) {
  const auto request = open.find(name);
  if (!request)
    co_return;
  const bool has_ended = co_await rank.test(*request);
  if (has_ended)
    open.set_tested(name);
}

// Waits for one request, or tests which have ended.
Program run_wait(Rank& rank, SidePrograms& sides, OpenRequests& open, TraceEvent event) {
  Request ended;
  if (const auto* wait = std::get_if<WaitEvent>(&event.what)) {
    if (open.take(wait->request, ended)) {
      co_await sides.perform(wait_for(ended), ended);
    } else if (!open.take_tested(wait->request)) {
      co_await rank.fail(unknown_request(rank, wait->request));
    }
  } else if (const auto* test = std::get_if<TestEvent>(&event.what)) {
    const auto names = test->request ? std::vector{*test->request} : open.names();
    for (const auto& name : names)
      co_await run_test(rank, open, name);
  } else if (std::holds_alternative<WaitAnyEvent>(event.what) && !open.empty()) {
    Operation any = WaitOperation{open.all(), true};
    co_await sides.perform(std::move(any), ended);
    open.remove(ended);
  }
}

// Checks that all ranks of the communicator make the same calls in the same order.
Program begin_collective(Rank& rank, ReplayWorld& world, const CollectiveEvent& event) {
  const auto& members = world.communicators[event.communicator].members;
  const auto found = std::ranges::find(members, rank.id);
  if (found == members.end())
    co_await rank.fail(no_member(rank));
  const int id = static_cast<int>(found - members.begin());
  auto error = world.orders[event.communicator].make(id, rank.id, event, *rank.place.file, rank.place.text());
  if (error) {
    error->message += world.advice;
    co_await rank.fail(std::move(*error));
  }
}

// The nonblocking collective calls of a rank.
class Nonblocking {
public:
  Nonblocking(Rank& rank, ReplayWorld& world, ReplaySpeed speed)
      : sides(rank, world.library.progress), world_(world), speed_(speed), begun_(world.communicators.size()) {}

  // Begins a nonblocking call, or a blocking one while others are open.
  Program begin(CollectiveEvent call) {
    const auto context = call.blocking ? static_cast<int>(call.communicator) : next_context(call.communicator);
    const auto key = call.blocking ? blocking_key : call.request;
    world_.nonblocking_calls += !call.blocking;
    co_await sides.start(key, [&](Rank& side) { return run_collective(side, world_, call, context, speed_); });
    if (call.blocking)
      co_await sides.finish(blocking_key);
  }
  Program finish_all() {
    while (!sides.empty())
      co_await sides.finish_first();
  }

  SidePrograms sides;

private:
  static constexpr auto blocking_key = ~std::uint64_t{0};

  // This many calls of a communicator may be open at a time without taking each other's messages.
  int next_context(std::size_t communicator) {
    constexpr std::size_t most = 512;
    return static_cast<int>(communicator + begun_.size() * (1 + begun_[communicator]++ % most));
  }

  ReplayWorld& world_;
  ReplaySpeed speed_;
  std::vector<std::size_t> begun_; // number of calls in each communicator
};

// Waits for requests with numbers.
Program run_completion(SidePrograms& sides, OpenRequests& open, std::vector<std::uint64_t> numbers) {
  Request last;
  for (std::size_t i = 0; i < numbers.size() && !sides.empty(); ++i)
    co_await sides.finish(numbers[i]);
  auto requests = open.take_numbered(numbers);
  if (!requests.empty())
    co_await sides.perform(wait_for(std::move(requests)), last);
}

Program begin_device_work(Rank& rank, ReplayWorld& world, DeviceClock& clock, DeviceWorkEvent work, ReplaySpeed speed) {
  ComputeOperation operation{speed.slowdown * work.time};
  operation.lane = gpu_lane;
  operation.blocking = false;
  operation.after = clock.end_of(work.after, rank.clock) + work.delay - rank.clock;
  const auto begun = co_await rank.perform_fully(operation);
  const auto time = std::get<ComputeOperation>(begun.operation).time;
  clock.begun(work.number, rank.clock + operation.after + time, rank.clock);
  ++world.device_works;
  world.device_time += time;
}

// The rank waits; its core does nothing else.
Program wait_for_device(Rank& rank, ReplayWorld& world, SidePrograms& sides, Seconds end) {
  if (end <= rank.clock)
    co_return;
  ComputeOperation operation{end - rank.clock};
  operation.lane = gpu_lane;
  world.device_waits += operation.time;
  Request none;
  co_await sides.perform(operation, none);
}

// Runs the messages by which the ranks of a new communicator agree on it. They know its members.
Program agree(Rank& rank, ReplayWorld& world, CollectiveEvent made, int context, ReplaySpeed speed) {
  const auto form = own_or_followed(world.library).communicator;
  CollectiveEvent agreement;
  agreement.collective = Collective::allreduce;
  agreement.size = form.size;
  agreement.communicator = made.communicator;
  for (int i = 0; i < form.allreduces; ++i)
    co_await run_collective(rank, world, agreement, context, speed, true);
  if (const auto own = world.library.communicator_start.value_or(form.own); own.value > 0)
    co_await rank.compute_in_call(own);
}

} // namespace

Program run_collective(Rank& rank, ReplayWorld& world, CollectiveEvent event, int context, ReplaySpeed speed,
                       bool is_own) {
  const auto& group = world.communicators[event.communicator];
  const int id = static_cast<int>(std::ranges::find(group.members, rank.id) - group.members.begin());
  const Communicator caller(rank, group, id, event.work.value > 0 ? world.without_reduction : world.library, context);
  const auto comm = is_own && world.library.gpu_reductions == GpuReductions::host ? caller.on(host_lane) : caller;
  world.reductions += has_reduction(event.collective) && !is_own;
  const auto begins = begins_of(event, comm);
  Call call;
  call.blocks = blocks_of(event, comm, begins);
  call.root = event.root;
  rank.place.collective = collective_names[static_cast<std::size_t>(event.collective)];
  if (event.collective == Collective::gatherv)
    co_await gather_linear(comm, call);
  else if (event.collective == Collective::scatterv)
    co_await scatter_linear(comm, call);
  else
    co_await perform(comm, event.collective, call);
  rank.place.collective = {};
  if (event.work.value > 0)
    co_await rank.compute_in_call(event.work / speed.speed);
  if (event.makes_communicator)
    co_await agree(rank, world, event, context, speed);
}

ReplayWorld make_replay_world(const Library& library, std::size_t ranks) {
  ReplayWorld world{{}, {}, library, library, nullptr, "", CallTimes(ranks)};
  world.without_reduction.reduction = {};
  world.without_reduction.reduction_start = {};
  return world;
}

void add_communicator(ReplayWorld& world, Group group, const std::string& name) {
  world.orders.emplace_back(group.size(), name);
  world.communicators.push_back(std::move(group));
}

Program run_replay(Rank& rank, ReplayWorld& world, std::unique_ptr<EventStream> events, ReplaySpeed speed) {
  OpenRequests open;
  rank.place.file = &events->file();
  rank.place.unit = events->unit();
  rank.line_of = [&open](Request request) { return open.line_of(request); };
  Nonblocking nonblocking(rank, world, speed);
  auto& sides = nonblocking.sides;
  DeviceClock devices;
  Request request; // request of the last operation
  while (const auto* event = events->next()) {
    rank.place.line = event->line;
    rank.place.site = event->site;
    rank.place.region = event->region;
    const auto call_made = profiled(*event);
    rank.place.number = world.times.place_of(rank.id, call_made, event->site, event->region);
    const auto start = rank.clock;
    const auto recorded = event->recorded;
    if (auto operation = operation_of(*event, world.tags, speed)) {
      const auto number = number_of(*event);
      const auto name = number > 0 ? std::nullopt : request_of(*event, rank.id);
      if (sides.are_idle())
        request = co_await rank.perform(std::move(*operation));
      else
        co_await sides.perform(std::move(*operation), request);
      if (number > 0)
        open.add(number, request, rank.place.line);
      else if (name)
        open.add(*name, request, rank.place.line);
    } else if (const auto* one = std::get_if<WaitEvent>(&event->what);
               one && sides.are_idle() && open.take(one->request, request)) { // as run_wait, without its frame
      co_await rank.wait(request);
    } else if (const auto* all = std::get_if<WaitAllEvent>(&event->what)) {
      const auto others = all->others;
      co_await nonblocking.finish_all();
      co_await sides.perform(wait_for(open.take_all_but(others)), request);
    } else if (const auto* complete = std::get_if<CompleteEvent>(&event->what)) {
      co_await run_completion(sides, open, complete->requests);
    } else if (const auto* call = std::get_if<CollectiveEvent>(&event->what)) {
      const auto made = *call;
      co_await begin_collective(rank, world, made);
      if (made.blocking && sides.empty())
        co_await run_collective(rank, world, made, static_cast<int>(made.communicator), speed);
      else
        co_await nonblocking.begin(made);
    } else if (const auto* work = std::get_if<DeviceWorkEvent>(&event->what)) {
      co_await begin_device_work(rank, world, devices, *work, speed);
    } else if (const auto* wait = std::get_if<DeviceWaitEvent>(&event->what)) {
      co_await wait_for_device(rank, world, sides, devices.end_of(wait->works, rank.clock));
    } else if (std::holds_alternative<WaitCollectiveEvent>(event->what)) {
      if (!sides.empty())
        co_await sides.finish_first();
    } else {
      co_await run_wait(rank, sides, open, *event);
    }
    world.times.add(rank.id, call_made.bytes, rank.clock - start, recorded);
  }
  if (events->fault())
    co_await rank.fail(*events->fault());
  if (world.is_cut)
    co_return;
  co_await nonblocking.finish_all();
  if (!open.empty())
    co_await rank.wait_all(open.take_all());
  co_await wait_for_device(rank, world, sides, devices.last());
}

} // namespace kakehashi
