#include "input/trace/ti/ti_requests.hpp"

#include "base/text.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace kakehashi {
namespace {

// A trace for each rank, without its number on each line.
class Traces {
public:
  explicit Traces(const std::vector<std::string>& texts) : form_{static_cast<int>(texts.size())} {
    for (std::size_t rank = 0; rank < texts.size(); ++rank) {
      auto& text = texts_.emplace_back();
      std::size_t begin = 0;
      for (auto end = texts[rank].find('|'); begin < texts[rank].size(); end = texts[rank].find('|', begin)) {
        end = std::min(end, texts[rank].size());
        text += fmt::format("{} {}\n", rank, texts[rank].substr(begin, end - begin));
        begin = end + 1;
      }
    }
  }

  TiRecords records() const {
    std::vector<std::string> files;
    for (std::size_t rank = 0; rank < texts_.size(); ++rank)
      files.push_back(fmt::format("r{}", rank));
    TiRecords records(files, files.size());
    for (std::size_t rank = 0; rank < texts_.size(); ++rank) {
      TiReader reader(files[rank], static_cast<int>(rank), form_);
      std::uint64_t number = 0;
      for (const auto& line : split(texts_[rank], '\n'))
        EXPECT_TRUE(records.add(reader, line, ++number));
      EXPECT_TRUE(records.finish(reader));
    }
    return records;
  }
  TiSurvey survey() const { return kakehashi::survey(records()); }
  // What is left of a rank's lines: their words by number.
  std::vector<TraceEvent> events(int rank) const {
    const auto all = records();
    const auto found = kakehashi::survey(all);
    TiRequests requests(all, rank, found.facts[static_cast<std::size_t>(rank)]);
    std::vector<TraceEvent> events;
    while (const auto* event = requests.next())
      events.push_back(*event);
    return events;
  }

private:
  TiForm form_;
  std::vector<std::string> texts_;
};

std::vector<std::uint64_t> lines_of(const std::vector<TraceEvent>& events) {
  std::vector<std::uint64_t> lines;
  for (const auto& event : events)
    lines.push_back(event.line);
  return lines;
}

TEST(Spool, KeepsWhatMemoryHasNoRoomForInAFile) {
  Spool spool(2, 4200);
  std::vector<std::string> texts(2);
  for (int i = 0; i < 3000; ++i) {
    const auto text = static_cast<std::size_t>(i % 3 == 0);
    const auto part = std::to_string(i) + ",";
    texts[text] += part;
    ASSERT_TRUE(spool.append(text, part));
  }
  for (std::size_t text = 0; text < 2; ++text) {
    ASSERT_TRUE(spool.finish(text));
    std::string found, room;
    std::size_t inside = 0;
    for (std::size_t number = 0;; ++number) {
      const auto block = spool.block(text, number, room);
      ASSERT_TRUE(block.ok());
      if (block->empty())
        break;
      EXPECT_EQ(block->back(), ','); // whole parts
      inside += block->data() != room.data();
      found += *block;
    }
    EXPECT_EQ(found, texts[text]);
    EXPECT_EQ(inside, text == 0 ? 1u : 0u);
  }
}

void expect_same(const TraceEvent& event, const TraceEvent& stated) {
  ASSERT_EQ(event.line, stated.line);
  ASSERT_EQ(event.what.index(), stated.what.index());
  if (const auto* send = std::get_if<SendEvent>(&stated.what)) {
    const auto& found = std::get<SendEvent>(event.what);
    ASSERT_EQ(std::tie(found.to, found.tag, found.size, found.blocking, found.is_buffered),
              std::tie(send->to, send->tag, send->size, send->blocking, send->is_buffered));
  } else if (const auto* receive = std::get_if<ReceiveEvent>(&stated.what)) {
    const auto& found = std::get<ReceiveEvent>(event.what);
    ASSERT_EQ(std::tie(found.from, found.tag, found.blocking, found.is_persistent),
              std::tie(receive->from, receive->tag, receive->blocking, receive->is_persistent));
  } else if (const auto* both = std::get_if<SendReceiveEvent>(&stated.what)) {
    expect_same({event.line, {}, {}, {}, std::get<SendReceiveEvent>(event.what).send},
                {event.line, {}, {}, {}, both->send});
    expect_same({event.line, {}, {}, {}, std::get<SendReceiveEvent>(event.what).receive},
                {event.line, {}, {}, {}, both->receive});
  } else if (const auto* wait = std::get_if<WaitEvent>(&stated.what)) {
    ASSERT_EQ(std::get<WaitEvent>(event.what).request, wait->request);
  } else if (const auto* test = std::get_if<TestEvent>(&stated.what)) {
    ASSERT_EQ(std::get<TestEvent>(event.what).request, test->request);
  } else if (const auto* call = std::get_if<CollectiveEvent>(&stated.what)) {
    const auto& found = std::get<CollectiveEvent>(event.what);
    ASSERT_EQ(
        std::tie(found.collective, found.root, found.size, found.sizes, found.work, found.communicator, found.blocking),
        std::tie(call->collective, call->root, call->size, call->sizes, call->work, call->communicator,
                 call->blocking));
  } else if (const auto* work = std::get_if<ComputeEvent>(&stated.what)) {
    ASSERT_EQ(std::get<ComputeEvent>(event.what).work, work->work);
  } else if (const auto* pause = std::get_if<ElapseEvent>(&stated.what)) {
    ASSERT_EQ(std::get<ElapseEvent>(event.what).time, pause->time);
  }
}

// Hundreds of kilobytes in all, so that records are in many blocks, with all that lines can state.
TEST(TiRecords, KeepWhatLinesState) {
  const TiForm form{3, {}, {{"pair", {{1, 0}}, {"bcast"}, "", 2, 2}}};
  const std::vector<std::string> lines{"0 isend 2 1000000 123456789",
                                       "0 bsend 1 3 4",
                                       "0 Start 0 5 56 0",
                                       "0 recv -333 -444 8",
                                       "# nothing",
                                       "0 sendrecv 12 1 13 -333 1 1",
                                       "0 test 1 0 1",
                                       "0 testall",
                                       "0 wait 1 0 1",
                                       "",
                                       "0 allgatherv 1 1 300 70000 1 1",
                                       "0 ibcast 9 2 0",
                                       "0 bcast 7 1 0",
                                       "0 waitall",
                                       "",
                                       "0 reducescatter 1 2 3 1.5e9 0",
                                       "0 allreduce 5 7 1",
                                       "0 compute 0.1",
                                       "0 sleep 0.25",
                                       "",
                                       "0 wait -333 -333 -779",
                                       "0 waitany",
                                       "",
                                       "",
                                       ""};
  TiRecords records({"r0"}, 3);
  TiReader written("r0", 0, form), again("r0", 0, form);
  constexpr int times = 2000;
  const auto number_of = [&](int time, std::size_t line) { return static_cast<std::size_t>(time) * 1000 + line + 1; };
  for (int time = 0; time < times; ++time)
    for (std::size_t line = 0; line < lines.size(); ++line)
      ASSERT_TRUE(records.add(written, lines[line], number_of(time, line)));
  ASSERT_TRUE(records.finish(written));
  TiRecordReader reader(records, 0);
  TraceEvent event;
  for (int time = 0; time < times; ++time)
    for (std::size_t line = 0; line < lines.size(); ++line)
      if (const auto* stated = again.read(lines[line], number_of(time, line))) {
        ASSERT_TRUE(reader.next(event));
        expect_same(event, *stated);
      }
  EXPECT_FALSE(reader.next(event));
}

TEST(TiSurvey, LeavesOutReceivesFromNobody) { // the ends of a halo that is not closed
  const Traces halo(
      {"irecv -333 1 8|irecv 1 2 8|isend 1 1 8|isend -333 2 8|wait -333 0 1|wait 1 0 2|waitall 2|wait 0 -333 2",
       "irecv 0 1 8|irecv -333 2 8|isend -333 1 8|isend 0 2 8|wait 0 1 1|wait -333 1 2|waitall 2"});
  EXPECT_EQ(lines_of(halo.events(0)), (std::vector<std::uint64_t>{2, 3, 6, 7}));
  EXPECT_EQ(lines_of(halo.events(1)), (std::vector<std::uint64_t>{1, 4, 5, 7}));
  EXPECT_TRUE(halo.survey().warnings.empty());
}

TEST(TiSurvey, KeepsReceivesFromAnyRank) {
  const Traces boss({"recv -333 -444 8|recv -333 -444 8|recv -333 4 8", "send 0 4 8|send 0 3 8", "send 0 1 8"});
  EXPECT_EQ(boss.events(0).size(), 3u);
  EXPECT_TRUE(boss.survey().warnings.empty());
}

TEST(TiSurvey, TakesTheLastOfTooManyReceivesForOnesFromNobody) {
  const Traces both({"recv -333 4 8|recv -333 4 8", "send 0 4 8"});
  EXPECT_EQ(lines_of(both.events(0)), (std::vector<std::uint64_t>{1}));
  EXPECT_EQ(both.survey().warnings,
            (std::vector<std::string>{"a rank receives more messages from any rank than it is sent (1 tag of this "
                                      "kind); the last ones are taken for receives from MPI_PROC_NULL"}));
}

TEST(TiSurvey, LeavesOutHalvesOfSendrecvWithoutAPartner) { // the ends of the row leave no line
  const Traces row({"compute 1", "sendrecv 8 2 8 0", "compute 1"});
  EXPECT_EQ(lines_of(row.events(1)), (std::vector<std::uint64_t>{}));
  const Traces half({"recv 1 0 8", "sendrecv 8 0 8 2", "compute 1"});
  const auto events = half.events(1);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_TRUE(std::holds_alternative<SendEvent>(events[0].what));
  EXPECT_EQ(half.survey().warnings,
            (std::vector<std::string>{"sendrecv calls have no partner between 1 pair of ranks, as where that has "
                                      "MPI_PROC_NULL on the other side, which leaves no line; that half of the calls "
                                      "is left out"}));
}

TEST(TiRequests, LetsWaitallLeaveWhatIsWaitedForLater) { // as LULESH does
  const Traces ranks(
      {"irecv 1 1 8|irecv 1 2 8|isend 1 3 8|waitall 26|wait 1 0 1|wait 1 0 2|irecv 1 1 8|waitall 1|wait 1 0 1",
       "send 0 1 8|send 0 2 8|recv 0 3 8|send 0 1 8"});
  const auto events = ranks.events(0);
  ASSERT_EQ(events.size(), 9u);
  EXPECT_EQ(std::get<WaitAllEvent>(events[3].what).others, (std::vector<RequestName>{{1, 0, 1}, {1, 0, 2}}));
  EXPECT_EQ(std::get<WaitAllEvent>(events[7].what).others, (std::vector<RequestName>{{1, 0, 1}}));
}

TEST(TiRequests, TakesTheLastTestForAWait) {
  const Traces ranks(
      {"irecv 1 1 8|test 1 0 1|test 1 0 1|compute 5|irecv 1 1 8|test 1 0 1|wait 1 0 1", "send 0 1 8|send 0 1 8"});
  const auto events = ranks.events(0);
  EXPECT_TRUE(std::holds_alternative<TestEvent>(events[1].what));
  EXPECT_TRUE(std::holds_alternative<WaitEvent>(events[2].what));
  EXPECT_TRUE(std::holds_alternative<TestEvent>(events[5].what));
  EXPECT_TRUE(std::holds_alternative<WaitEvent>(events[6].what));
  const Traces all({"irecv 1 1 8|testall|testany|compute 5", "send 0 1 8"});
  EXPECT_TRUE(std::holds_alternative<TestEvent>(all.events(0)[1].what));
  EXPECT_TRUE(std::holds_alternative<WaitAllEvent>(all.events(0)[2].what));
}

TEST(TiRequests, FindsTheSourceOfAPersistentReceive) {
  const Traces ranks({"Start 0 5 56 0|wait 1 0 5", "Start 0 5 56 0|wait 1 0 5"});
  const auto events = ranks.events(0);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(std::get<WaitEvent>(events[1].what).request, (RequestName{{}, 0, 5}));
  EXPECT_EQ(ranks.events(1).size(), 2u);
}

TEST(TiRequests, NeedsNoWaitForBufferedSends) {
  const Traces ranks({"ibsend 1 4 8|wait 0 1 4|bsend 1 4 8", "recv 0 4 8|recv 0 4 8"});
  EXPECT_EQ(lines_of(ranks.events(0)), (std::vector<std::uint64_t>{1, 3}));
}

TEST(TiSurvey, TellsWhatTracesLeaveOut) {
  const Traces ranks({"comm_split|allreduce 4 0 0|Startall|waitall 2|irecv 1 1 8|ibarrier|wait -333 -333 -779|barrier",
                      "comm_split|allreduce 4 0 0|send 0 1 8|ibarrier|wait 0 0 -779|barrier"});
  EXPECT_EQ(ranks.survey().warnings,
            (std::vector<std::string>{
                "r0: line 1: communicators of some ranks are made here, and the traces do not state which calls are in "
                "them: 6 collective calls after it count as calls of all ranks. \"communicators\" in the scenario can "
                "state theirs, and a recording of `kakehashi record` has them",
                "r0: line 3: what startall starts is not in the traces, so the messages of 1 call are missing",
                "r0: line 5: no line waits for 1 receive of 1 rank, as after MPI_Waitsome, which leaves none. They end "
                "unnoticed, so the run may be too fast"}));
}

} // namespace
} // namespace kakehashi
