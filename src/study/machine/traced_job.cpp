#include "study/machine/machine_views.hpp"

#include "study/run/scenario_run.hpp"
#include "workload/workload.hpp"

#include <algorithm>
#include <deque>
#include <fmt/format.h>
#include <map>
#include <utility>

namespace kakehashi {
namespace {

constexpr std::size_t most_operations = 20'000'000;

class Tracer {
public:
  explicit Tracer(std::size_t ranks) { job_.ranks.resize(ranks); }

  void add(int rank, const Operation& operation, std::uint32_t request) {
    if (fault_.empty() && ++operations_ > most_operations)
      fault_ = fmt::format("the run has more than {} operations; state fewer sizes or ranks", most_operations);
    if (!fault_.empty())
      return;
    if (const auto* send = std::get_if<SendOperation>(&operation)) {
      add_send(rank, *send, send->blocking, request);
    } else if (const auto* receive = std::get_if<ReceiveOperation>(&operation)) {
      add_receive(rank, *receive, receive->blocking, request);
    } else if (const auto* both = std::get_if<SendReceiveOperation>(&operation)) {
      add_receive(rank, both->receive, false, request);
      add_send(rank, both->send, false, request + 1);
      add_wait(rank, {request, request + 1});
    } else if (const auto* remote = std::get_if<RemoteOperation>(&operation); remote && !remote->is_read) {
      add_put(rank, *remote, request);
    } else if (const auto* wait = std::get_if<WaitOperation>(&operation); wait && !wait->any) {
      std::vector<std::uint32_t> requests;
      for (const auto& each : wait->requests)
        requests.push_back(each.index);
      add_wait(rank, std::move(requests));
    } else if (const auto* compute = std::get_if<ComputeOperation>(&operation);
               compute && (compute->blocking || compute->lane == gpu_lane)) {
      if (!compute->blocking) // the rank's later wait for the device is in the trace
        return;
      TracedOperation work;
      work.time = compute->time;
      of(rank).push_back(std::move(work));
    } else {
      fault_ = fmt::format("rank {}: traces have no {}", rank, to_text(operation));
    }
  }

  bool goes_on() const { return fault_.empty(); }
  const std::string& fault() const { return fault_; }

  // The targets of puts are ready for them from the start, and wait for them in the end. Gives receives the tags and
  // sizes of their messages: each takes the first matching message from its rank that is left.
  TracedJob take() {
    for (auto& [rank, receives] : put_receives_) {
      std::vector<std::uint32_t> requests;
      for (const auto& receive : receives)
        requests.push_back(receive.request);
      auto& operations = of(rank);
      operations.insert(operations.begin(), receives.begin(), receives.end());
      add_wait(rank, std::move(requests));
    }
    for (std::size_t rank = 0; rank < job_.ranks.size(); ++rank)
      for (auto& operation : job_.ranks[rank]) {
        if (operation.kind != TracedOperation::Kind::receive)
          continue;
        auto& sent = sent_[{operation.peer, static_cast<int>(rank)}];
        const auto fits = [&](const Sent& message) {
          return operation.tag == any_tag ? message.tag < first_of_collectives : operation.tag == message.tag;
        };
        const auto found = std::ranges::find_if(sent, fits);
        if (found == sent.end()) // the message never came
          continue;
        operation.tag = found->tag;
        operation.size = found->size;
        sent.erase(found);
      }
    return std::move(job_);
  }

private:
  struct Sent {
    int tag;
    Bytes size;
  };

  std::vector<TracedOperation>& of(int rank) { return job_.ranks[static_cast<std::size_t>(rank)]; }

  // Collective operations have negative tags.
  static constexpr int first_of_collectives = 1'000'000'000;
  static constexpr int tag_of_puts = 2'000'000'000;
  static constexpr std::uint32_t first_of_puts = 1U << 31; // requests of receives that the run does not have
  static int plain(int tag) { return tag >= 0 ? tag : first_of_collectives - tag; }

  void add_send(int rank, const SendOperation& send, bool blocking, std::uint32_t request) {
    of(rank).push_back({TracedOperation::Kind::send, blocking, send.to, plain(send.tag), send.size, request, {}, {}});
    sent_[{rank, send.to}].push_back({plain(send.tag), send.size});
  }
  void add_put(int rank, const RemoteOperation& put, std::uint32_t request) {
    of(rank).push_back({TracedOperation::Kind::send, put.blocking, put.peer, tag_of_puts, put.size, request, {}, {}});
    sent_[{rank, put.peer}].push_back({tag_of_puts, put.size});
    const auto number = static_cast<std::uint32_t>(first_of_puts + job_.puts++);
    put_receives_[put.peer].push_back({TracedOperation::Kind::receive, false, rank, tag_of_puts, {}, number, {}, {}});
  }
  void add_receive(int rank, const ReceiveOperation& receive, bool blocking, std::uint32_t request) {
    if (receive.from == any_source)
      fault_ = fmt::format("rank {}: traces for others have no {}", rank, to_text(Operation{receive}));
    of(rank).push_back({TracedOperation::Kind::receive,
                        blocking,
                        receive.from,
                        receive.tag == any_tag ? any_tag : plain(receive.tag),
                        {},
                        request,
                        {},
                        {}});
  }
  void add_wait(int rank, std::vector<std::uint32_t> requests) {
    if (requests.empty())
      return;
    TracedOperation wait;
    wait.kind = TracedOperation::Kind::wait;
    wait.requests = std::move(requests);
    of(rank).push_back(std::move(wait));
  }

  TracedJob job_;
  std::map<std::pair<int, int>, std::deque<Sent>> sent_;     // from, to → messages in order
  std::map<int, std::vector<TracedOperation>> put_receives_; // by target
  std::size_t operations_ = 0;
  std::string fault_;
};

} // namespace

Result<TracedJob> trace_job(const Scenario& scenario, RunPlan plan) {
  plan.options.kind = EngineKind::fluid;
  plan.options.whole = true;
  const auto job = make_job(scenario.workload, plan.place);
  Tracer tracer(scenario.ranks.size());
  RunWatch watch;
  watch.goes_on = [&](const JobProgress&, std::size_t) { return tracer.goes_on(); };
  watch.begins = [&](int rank, const Operation& operation, std::uint32_t request) {
    tracer.add(rank, operation, request);
  };
  const auto done = run(job, nullptr, plan, plan.options, nullptr, &watch);
  if (!tracer.goes_on())
    return run_error(tracer.fault());
  if (!done)
    return done.errors();
  return tracer.take();
}

} // namespace kakehashi
