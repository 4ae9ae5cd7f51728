#include "engine/mpi/simulation.hpp"

#include "engine/flow/shuffle.hpp"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>
#include <numeric>

namespace kakehashi {
namespace {

// Thirty years. Beyond them a clock no longer tells a tenth of a microsecond.
constexpr Seconds longest_run{1e9};

Error too_long(const Rank& rank) {
  const auto& place = rank.place;
  return input_error(
      place.file ? *place.file : "", place.file ? place.text() : "",
      fmt::format("rank {} computes or sleeps beyond {:g} s, the longest run", rank.id, longest_run.value));
}

} // namespace

Simulation::Simulation(Setting setting)
    : setting_(std::move(setting)), agenda_(setting_.network), ranks_(setting_, agenda_),
      sets_(setting_.network, setting_.ways, setting_.shift), work_(setting_, agenda_, ranks_, sets_),
      messages_(setting_, agenda_, ranks_, sets_) {
  if (!setting_.skips_rounds)
    return;
  rounds_.emplace(setting_.network, ranks_.all().size(), setting_.recorder);
  for (auto& rank : ranks_.all())
    rank.view.rounds = &*rounds_;
}

void Simulation::set_program(int id, Program program) {
  auto& rank = ranks_[id];
  assert(!rank.program);
  rank.view.resume_point = program.handle();
  rank.program = std::move(program);
}

Result<std::vector<Seconds>> Simulation::run() {
  assert(std::ranges::all_of(ranks_.all(), [](const RankState& rank) { return rank.program.has_value(); }));
  std::vector<std::uint32_t> order(ranks_.all().size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::sort(order, {}, [&](std::uint32_t id) { return shuffled(id, setting_.seed); });
  for (const auto id : order)
    agenda_.add({}, rank_resumes, id);
  const auto handle_one = [this](Event event) { handle(event); };
  agenda_.settle(handle_one);
  setting_.network.on_expectation([this](Event event, bool is_next) { expect(event, is_next); });
  setting_.network.run([&](Event event) {
    handle(event);
    agenda_.settle(handle_one);
  });
  if (!agenda_.failures().empty())
    return agenda_.failures();
  std::vector<Seconds> ends;
  for (auto& rank : ranks_.all()) {
    if (!rank.finished && !setting_.may_get_stuck)
      return deadlock(ranks_, messages_.pool(), setting_);
    if (!rank.finished) {
      ++stuck_;
      end(rank);
      if (setting_.recorder)
        setting_.recorder->rank_is_stuck(rank.view.id);
    }
    ends.push_back(rank.finish);
  }
  return ends;
}

Seconds Simulation::duration() const {
  Seconds last;
  for (const auto& rank : ranks_.all())
    last = std::max(last, rank.finish);
  return last;
}

void Simulation::handle(Event event) {
  if (!agenda_.failures().empty())
    return;
  ++events_;
  if (setting_.recorder)
    setting_.recorder->begin_event();
  if (event.kind >= core_sent)
    messages_.handle(event);
  else if (event.kind == rank_resumes)
    resume(static_cast<int>(event.id));
  else if (const auto rank = work_.handle(event))
    resume(*rank);
  if (messages_.ended() >= watched_end_) {
    watched_end_ = std::numeric_limits<std::size_t>::max();
    ends_watch_(clock());
  }
}

// The state of many ranks does not fit in the caches, so what an event needs is fetched before.
void Simulation::expect(Event event, bool is_next) const {
  if (event.kind >= core_sent)
    messages_.expect(event, is_next);
  else if (event.kind != aside_done)
    ranks_.fetch(static_cast<int>(event.id));
}

void Simulation::resume(int id) {
  auto& rank = ranks_[id];
  auto* recorder = setting_.recorder;
  rank.view.clock = clock();
  const auto why = recorder ? recorder->rank_resumes(id) : Occasion{};
  ranks_.resume(rank);
  if (recorder)
    recorder->rank_is_at(id, rank.view.place.number);
  if (rank.view.pending) // else the program is at its end
    return perform(id, why);
  rank.program->rethrow_failure();
  messages_.answer_all(rank, why);
  end(rank);
  if (recorder)
    recorder->rank_ends(id);
}

void Simulation::end(RankState& rank) {
  rank.finished = true;
  rank.finish = clock();
}

void Simulation::perform(int id, Occasion why) {
  auto& rank = ranks_[id];
  auto& asked = rank.view.pending->operation;
  if (auto* work = std::get_if<ComputeOperation>(&asked);
      work && !work->in_call && !is_wait_for_device(*work) && setting_.work_time)
    work->time = setting_.work_time(rank.view, *work);
  if (rank.unanswered.first != no_message && !rank.is_at_work())
    messages_.answer_all(rank, why);
  if (operation_begins_)
    operation_begins_(id, asked, rank.requests.next());
  const auto resume_now = [&] { agenda_.add({}, rank_resumes, static_cast<std::uint32_t>(id)); };
  if (const auto* send = std::get_if<SendOperation>(&asked)) {
    messages_.send(id, *send, send->blocking, !send->blocking, why);
  } else if (const auto* receive = std::get_if<ReceiveOperation>(&asked)) {
    messages_.receive(id, *receive, receive->blocking, why);
    if (!receive->blocking)
      resume_now();
  } else if (const auto* both = std::get_if<SendReceiveOperation>(&asked)) {
    rank.requests.await_next(); // the send
    messages_.receive(id, both->receive, true, why);
    rank.requests.next_begins();
    messages_.send(id, both->send, true, false, why);
  } else if (const auto* wait = std::get_if<WaitOperation>(&asked)) {
    if (!rank.requests.await(*wait, rank.view.pending->request))
      resume_now();
  } else if (const auto* remote = std::get_if<RemoteOperation>(&asked)) {
    messages_.access(id, *remote, why);
  } else if (const auto* work = std::get_if<ComputeOperation>(&asked)) {
    compute(rank, *work, why);
  } else if (const auto* copy = std::get_if<CopyOperation>(&asked)) {
    work_.copy(id, *copy, why);
  } else if (const auto* joint = std::get_if<JointOperation>(&asked)) {
    work_.join(id, *joint, why);
  } else if (const auto* test = std::get_if<TestOperation>(&asked)) {
    rank.view.pending->has_ended = rank.requests.has_ended(test->request);
    resume_now();
  } else if (const auto* failure = std::get_if<FailOperation>(&asked)) {
    agenda_.fail({*failure->error});
  }
}

void Simulation::compute(RankState& rank, const ComputeOperation& work, Occasion why) {
  const int id = rank.view.id;
  if (work.time > longest_run - rank.view.clock)
    agenda_.fail({too_long(rank.view)});
  else
    work_.compute(id, work, why);
}

// It is as long as the work, which may be longer than it states.
bool Simulation::is_wait_for_device(const ComputeOperation& work) const {
  return work.blocking && setting_.ways.lanes()[work.lane].worker == LaneWorker::device;
}

} // namespace kakehashi
