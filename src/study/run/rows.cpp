#include "study/run/rows.hpp"

#include "base/interrupt.hpp"
#include "base/shared_values.hpp"
#include "study/run/pool.hpp"

#include <atomic>

namespace kakehashi {
namespace {

// What a row has done so far.
struct RowState {
  std::atomic<int> done = 0; // iterations
  std::atomic<int> least = 0;
  std::atomic<std::size_t> messages = 0;
};

// The form in which a child process sends a row.
struct SentSource {
  std::string place;
  int kind = 0;
  std::string from;
  std::vector<std::string> claims;
  static constexpr auto fields(auto& self) {
    auto& [place, kind, from, claims] = self;
    return std::tie(place, kind, from, claims);
  }
};
struct SentRow {
  SizeTiming timing;
  std::size_t messages = 0;
  Seconds duration;
  std::size_t events = 0;
  std::optional<std::size_t> solves;
  std::size_t routes = 0;
  std::size_t connections = 0;
  std::size_t rounds_left_out = 0;
  std::vector<SentSource> sources;
  int assumed = 0;
  std::optional<OutOfStep> out_of_step;
  static constexpr auto fields(auto& self) {
    auto& [timing, messages, duration, events, solves, routes, connections, rounds_left_out, sources, assumed,
           out_of_step] = self;
    return std::tie(timing, messages, duration, events, solves, routes, connections, rounds_left_out, sources, assumed,
                    out_of_step);
  }
};

SentRow sent_row(RowRun row) {
  SentRow sent{std::move(row.timing),
               row.messages,
               row.duration,
               row.counts.events,
               row.counts.solves,
               row.counts.routes,
               row.counts.connections,
               row.rounds_left_out,
               {},
               static_cast<int>(row.used.assumed),
               row.out_of_step};
  for (auto& [place, source] : row.used.sources)
    sent.sources.push_back({place, static_cast<int>(source.kind), source.from, source.claims});
  return sent;
}

RowRun received_row(SentRow sent) {
  RowRun row{std::move(sent.timing), sent.messages,
             sent.duration,          {sent.events, sent.solves, sent.routes, sent.connections},
             sent.rounds_left_out,   {{}, static_cast<AssumedRules>(sent.assumed)},
             sent.out_of_step};
  for (auto& source : sent.sources)
    row.used.sources.push_back({source.place, {static_cast<SourceKind>(source.kind), source.from, source.claims}});
  return row;
}

} // namespace

Errors run_here(std::size_t rows, const RunRow& run, const TakeRow& take, const RunWatch* watch) {
  std::size_t messages = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    std::size_t more = 0;
    RunWatch inner;
    if (watch)
      inner.goes_on = [&](const JobProgress& progress, std::size_t of_row) {
        more = of_row;
        return watch->goes_on({row, rows, progress.done, progress.least}, messages + more);
      };
    auto done = run(row, watch ? &inner : nullptr);
    if (!done)
      return done.errors();
    messages += more; // those that stand for others are not among them
    take(std::move(*done));
  }
  return {};
}

Errors run_in_children(std::size_t rows, int jobs, const RunRow& run, const TakeRow& take, const RunWatch* watch) {
  const SharedValues<RowState> states(rows);
  std::vector<std::optional<RowRun>> settled(rows);
  std::size_t taken = 0;
  std::size_t finished = 0;
  Errors errors;
  const NumberedTask<SentRow> task = [&](std::size_t row) -> Result<SentRow> {
    const RunWatch inner{[&state = states[row]](const JobProgress& progress, std::size_t messages) {
      state.done = progress.done;
      state.least = progress.least;
      state.messages = messages;
      return true;
    }};
    auto done = run(row, &inner);
    return done ? Result(sent_row(std::move(*done))) : done.errors();
  };
  PoolOptions options{jobs};
  options.from_both_ends = true;
  options.goes_on = [&] {
    if (!errors.empty())
      return false;
    std::size_t messages = 0;
    for (std::size_t row = 0; row < rows; ++row)
      messages += states[row].messages;
    const auto& first = states[std::min(taken, rows - 1)];
    if (watch && !watch->goes_on({finished, rows, first.done, first.least}, messages))
      errors.push_back(interrupted());
    return errors.empty();
  };
  stream_from_children<SentRow>(rows, task, options, [&](std::size_t row, Result<SentRow> result) {
    if (!result) {
      errors = is_interrupted() ? Errors{interrupted()} : result.errors(); // which may have ended the child first
      return;
    }
    settled[row] = received_row(std::move(*result));
    ++finished;
    for (; taken < rows && settled[taken]; ++taken)
      take(*settled[taken]);
  });
  for (; !errors.empty() && taken < rows; ++taken) // those behind a gap
    if (settled[taken])
      take(*settled[taken]);
  return errors;
}

} // namespace kakehashi
