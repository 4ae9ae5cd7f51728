#include "input/trace/ti/ti_requests.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace kakehashi {
namespace {

// A sign in the traces of many ranks.
struct Found {
  TiSign sign; // the lines of all ranks, and the first line
  std::string file;
  std::size_t ranks = 0;

  void add(const TiSign& more, const std::string& where) {
    if (more.count == 0)
      return;
    if (ranks++ == 0) {
      sign.first = more.first;
      file = where;
    }
    sign.count += more.count;
  }
};

struct Everything {
  Found splits, worlds, startalls, receives;
};

std::string place_of(const Found& found) {
  return fmt::format("{}: line {}", found.file, found.sign.first);
}

std::vector<std::string> warnings_of(const Everything& all, const std::vector<TiFacts>& facts) {
  std::vector<std::string> texts;
  if (all.worlds.sign.count > 0)
    texts.push_back(fmt::format("{}: communicators of some ranks are made here, and the traces do not state which "
                                "calls are in them: {} after it count as calls of all ranks. \"communicators\" in the "
                                "scenario can state theirs, and a recording of `kakehashi record` has them",
                                place_of(all.splits), counted(all.worlds.sign.count, "collective call")));
  if (all.startalls.sign.count > 0)
    texts.push_back(fmt::format("{}: what startall starts is not in the traces, so the messages of {} are missing",
                                place_of(all.startalls), counted(all.startalls.sign.count, "call")));
  if (all.receives.sign.count > 0)
    texts.push_back(fmt::format("{}: no line waits for {} of {}, as after MPI_Waitsome, which leaves none. They end "
                                "unnoticed, so the run may be too fast",
                                place_of(all.receives), counted(all.receives.sign.count, "receive"),
                                counted(all.receives.ranks, "rank")));
  std::size_t ambiguous = 0, halves = 0;
  for (const auto& each : facts) {
    for (const auto& [tag, limit] : each.received_unnamed)
      ambiguous += limit > 0;
    halves += each.silent.size() + each.deaf.size();
  }
  if (ambiguous > 0)
    texts.push_back(fmt::format("a rank receives more messages from any rank than it is sent ({} of this kind); the "
                                "last ones are taken for receives from MPI_PROC_NULL",
                                counted(ambiguous, "tag")));
  if (halves > 0)
    texts.push_back(fmt::format("sendrecv calls have no partner between {} of ranks, as where that has MPI_PROC_NULL "
                                "on the other side, which leaves no line; that half of the calls is left out",
                                counted(halves, "pair")));
  return texts;
}

} // namespace

TiSurvey survey(const TiRecords& records) {
  Everything all;
  for (int rank = 0; rank < records.ranks(); ++rank) {
    const auto& file = records.file(rank);
    const auto& signs = records.signs(rank);
    all.splits.add(signs.splits, file);
    all.worlds.add(signs.worlds, file);
    all.startalls.add(signs.startalls, file);
    auto fault = records.fault(rank);
    if (records.counting().may_leave_requests(rank)) {
      const TiFacts nothing;
      TiRequests events(records, rank, nothing);
      while (events.next()) {
      }
      all.receives.add(events.left_over().receives, file);
      fault = events.fault();
    }
    if (fault) // events that were not read leave everything open
      return {std::vector<TiFacts>(static_cast<std::size_t>(records.ranks())), {}};
  }
  auto facts = records.counting().facts();
  auto warnings = warnings_of(all, facts);
  return {std::move(facts), std::move(warnings)};
}

} // namespace kakehashi
