#include "input/trace/ti/ti_reader.hpp"

#include "base/line_reader.hpp"

#include <cstring>
#include <gtest/gtest.h>

namespace kakehashi {
namespace {

ReadAt read_from_text(std::string text) {
  return [text = std::move(text)](std::uint64_t place, std::span<char> room) -> Result<std::size_t> {
    const auto part = std::string_view(text).substr(std::min<std::size_t>(place, text.size()), room.size());
    std::memcpy(room.data(), part.data(), part.size());
    return part.size();
  };
}

const TiForm three_ranks{3};

// The events of rank 0's lines. The form must outlive it.
class Lines {
public:
  Lines(std::string text, const TiForm& form) : lines_(read_from_text(std::move(text)), 64), reader_("r0", 0, form) {}
  const TraceEvent* next() {
    while (const auto line = lines_.next())
      if (const auto* event = reader_.read(*line, lines_.line()))
        return event;
    return nullptr;
  }
  const std::optional<Error>& fault() const { return reader_.fault(); }

private:
  LineReader lines_;
  TiReader reader_;
};

Lines stream_of(std::string text, const TiForm& form = three_ranks) {
  return {std::move(text), form};
}

template <class Event> Event only(const std::string& text) {
  auto stream = stream_of(text);
  const auto* event = stream.next();
  EXPECT_TRUE(event) << text << (stream.fault() ? to_text(*stream.fault()) : "");
  const auto* found = event ? std::get_if<Event>(&event->what) : nullptr;
  EXPECT_TRUE(found) << text;
  const auto copy = found ? *found : Event{};
  EXPECT_FALSE(stream.next()) << text;
  EXPECT_FALSE(stream.fault()) << text;
  return copy;
}

TEST(LineReader, JoinsLinesThatBlocksCut) {
  const std::string text = "first\n\na line that is longer than a block of eight bytes\nlast";
  LineReader reader(read_from_text(text), 8);
  EXPECT_EQ(reader.next(), "first");
  EXPECT_EQ(reader.next(), "");
  EXPECT_EQ(reader.next(), "a line that is longer than a block of eight bytes");
  EXPECT_EQ(reader.next(), "last");
  EXPECT_EQ(reader.line(), 4u);
  EXPECT_EQ(reader.next(), std::nullopt);
  EXPECT_FALSE(reader.fault());
}

TEST(LineReader, TellsWhichFileCannotBeRead) {
  LineReader reader(read_from_file("/no/such/file"), 8);
  EXPECT_EQ(reader.next(), std::nullopt);
  EXPECT_EQ(to_text(*reader.fault()), "/no/such/file: cannot be read: No such file or directory");
}

TEST(TiReader, TakesBytesUnlessInitSaysDoubles) {
  EXPECT_EQ(only<SendEvent>("0 init\n0 send 1 4 1e3\n").size, Bytes{1000});
  EXPECT_EQ(only<SendEvent>("0 init 1\n0 send 1 4 1e3\n").size, Bytes{8000});
  EXPECT_EQ(only<SendEvent>("0 init 1\n0 send 1 4 1000 1\n").size, Bytes{4000});
}

TEST(TiReader, ReadsMessages) {
  const auto send = only<SendEvent>("0 isend 2 7 10 0");
  EXPECT_EQ(send.to, 2);
  EXPECT_EQ(send.tag, 7);
  EXPECT_EQ(send.size, Bytes{80});
  EXPECT_FALSE(send.blocking);
  EXPECT_EQ(only<SendEvent>("0 send -333 1 1 1").to, std::nullopt);
  const auto receive = only<ReceiveEvent>("0 recv -333 -444 10 0");
  EXPECT_EQ(receive.from, std::nullopt);
  EXPECT_EQ(receive.tag, std::nullopt);
  EXPECT_TRUE(receive.blocking);
  const auto both = only<SendReceiveEvent>("0 sendRecv 12 1 13 2 1 1");
  EXPECT_EQ(both.send.to, 1);
  EXPECT_EQ(both.send.size, Bytes{48});
  EXPECT_EQ(both.receive.from, 2);
  EXPECT_EQ(only<WaitEvent>("0 wait 0 1 8").request, (RequestName{0, 1, 8}));
  EXPECT_EQ(only<TestEvent>("0 test -333 0 -444").request, (RequestName{{}, 0, {}}));
  only<WaitCollectiveEvent>("0 wait -333 -333 -779");
  only<WaitAllEvent>("0 waitAll 2");
  only<WaitAnyEvent>("0 waitAny 2");
  for (const auto* word : {"testall", "testany", "testsome"})
    EXPECT_EQ(only<TestEvent>(std::string("0 ") + word).request, std::nullopt) << word;
  EXPECT_TRUE(only<SendEvent>("0 Ssend 1 3 4 0").blocking);
  EXPECT_FALSE(only<SendEvent>("0 ISsend 1 3 4 0").blocking);
  EXPECT_TRUE(only<SendEvent>("0 bsend 1 3 4 0").is_buffered);
  EXPECT_TRUE(only<SendEvent>("0 ibsend 1 3 4 0").is_buffered);
}

TEST(TiReader, TakesWhatTheLastInitSays) {
  auto stream = stream_of("0 init\n0 send 1 4 10\n0 send 1 4 10\n0 init 1\n0 send 1 4 10\n");
  for (const auto& [line, bytes] : {std::pair{2u, 10u}, {3u, 10u}, {5u, 80u}}) {
    const auto* event = stream.next();
    ASSERT_TRUE(event);
    EXPECT_EQ(event->line, line);
    EXPECT_EQ(std::get<SendEvent>(event->what).size, Bytes{bytes});
  }
}

// Lines of messages with one blank between short numbers are read at once, others word by word.
TEST(TiReader, ReadsMessagesInAnyForm) {
  for (const auto* blank : {" ", "  ", "\t"}) {
    const auto with = [&](std::string line) {
      for (auto at = line.find(' '); at != line.npos; at = line.find(' ', at + std::strlen(blank)))
        line.replace(at, 1, blank);
      return line;
    };
    for (const auto* end : {"", " ", "\r"}) {
      const auto send = only<SendEvent>(with("0 isend 2 7 10 1") + end);
      EXPECT_EQ(send.to, 2);
      EXPECT_EQ(send.tag, 7);
      EXPECT_EQ(send.size, Bytes{40});
      EXPECT_FALSE(send.blocking);
      EXPECT_TRUE(only<SendEvent>(with("0 send 2 7 10") + end).blocking);
      EXPECT_EQ(only<SendEvent>(with("0 send 2 7 1000000000 1") + end).size, Bytes{4000000000});
      const auto receive = only<ReceiveEvent>(with("0 irecv 1 8 10 1") + end);
      EXPECT_EQ(receive.from, 1);
      EXPECT_EQ(receive.tag, 8);
      EXPECT_FALSE(receive.blocking);
      EXPECT_TRUE(only<ReceiveEvent>(with("0 recv 1 8 10") + end).blocking);
      EXPECT_EQ(only<WaitEvent>(with("0 wait 1 0 8") + end).request, (RequestName{1, 0, 8}));
    }
  }
}

TEST(TiReader, ReadsPersistentRequestsThatStart) {
  const auto send = only<SendEvent>("0 Start 1 5 56 0");
  EXPECT_EQ(send.to, 1);
  EXPECT_EQ(send.size, Bytes{56}); // in bytes, whatever the type
  EXPECT_FALSE(send.blocking);
  const auto receive = only<ReceiveEvent>("0 Start 0 5 56 0"); // to itself
  EXPECT_EQ(receive.from, std::nullopt);
  EXPECT_EQ(receive.tag, 5);
  EXPECT_TRUE(receive.is_persistent);
}

TEST(TiReader, ReadsNonblockingCollectiveCalls) {
  for (const auto* line :
       {"0 ibarrier", "0 ibcast 5 1 0", "0 ireduce 5 0 1 0", "0 iallreduce 5 0 0", "0 igather 5 5 2 0 0",
        "0 iscatter 5 5 2 0 0", "0 iallgather 5 5 0 0", "0 iallgatherv 1 1 2 3 0 0", "0 ialltoall 5 5 0 0",
        "0 ialltoallv 12 3 3 3 12 3 3 3 0 0", "0 igatherv 1 1 2 3 0 0 0", "0 iscatterv 1 2 3 1 0 0 0",
        "0 ireducescatter 1 2 3 0 0", "0 iscan 3 0 0", "0 iexscan 3 0 0"})
    EXPECT_FALSE(only<CollectiveEvent>(line).blocking) << line;
  EXPECT_TRUE(only<CollectiveEvent>("0 allreduce 5 0 0").blocking);
}

TEST(TiReader, TakesCallsForThoseOfTheCommunicatorThatTheFormNames) {
  const TiForm form{3, {}, {{"pair", {{2, 0}}, {"allgatherv", "gather"}, "ft.c:7", 2, 2}}};
  auto stream = stream_of("0 location ft.c 7\n0 gather 9 9 0 1 1\n0 gather 7 9 1 1 1\n0 allgatherv 1 1 2 3 1 1\n"
                          "0 allgatherv 1 4 5 1 1\n0 location ft.c 8\n0 gather 7 9 0 1 1\n",
                          form);
  const auto next = [&] { return std::get<CollectiveEvent>(stream.next()->what); };
  EXPECT_EQ(next().communicator, 0u); // the first of two
  const auto second = next();
  EXPECT_EQ(second.communicator, 1u);
  EXPECT_EQ(second.size, Bytes{36}); // rank 0 is the second of the pair, its root
  EXPECT_EQ(next().communicator, 0u);
  const auto fourth = next();
  EXPECT_EQ(fourth.communicator, 1u);
  EXPECT_EQ(fourth.sizes, (std::vector<std::uint64_t>{16, 20}));
  EXPECT_EQ(next().communicator, 0u); // elsewhere
  EXPECT_EQ(communicators_of(form)[1].name, "pair");
}

TEST(TiReader, ReadsWorkAndPauses) {
  EXPECT_EQ(only<ComputeEvent>("0 compute 1.5e9").work, Flops{1.5e9});
  EXPECT_EQ(only<ElapseEvent>("0 sleep 0.25").time, Seconds{0.25});
  EXPECT_FALSE(only<ElapseEvent>("0 sleep 0.25").is_work);
}

TEST(TiReader, SkipsWhatMakesNoEvent) {
  auto stream = stream_of("# a comment\n\n0 init\n \t\r\n0 comm_size 3\n0 comm_split\n0 comm_dup 1 2\n"
                          "0 location main.c 7\n0 finalize\n");
  EXPECT_FALSE(stream.next());
  EXPECT_FALSE(stream.fault());
}

TEST(TiReader, ReadsCollectiveCalls) {
  struct Case {
    const char* line;
    Collective collective;
    int root;
    std::uint64_t bytes;
    std::vector<std::uint64_t> sizes;
    double work;
  };
  using enum Collective;
  const Case cases[] = {
      {"barrier", barrier, 0, 0, {}, 0},
      {"bcast 100 1 0", bcast, 1, 800, {}, 0},
      {"bcast 5e4", bcast, 0, 50000, {}, 0},
      {"reduce 100 5e8 2 1", reduce, 2, 400, {}, 5e8},
      {"allreduce 100 0 1 ", allreduce, 0, 400, {}, 0},
      {"scan 8 0 1", scan, 0, 32, {}, 0},
      {"exscan 8 7 1", exscan, 0, 32, {}, 7},
      {"alltoall 10 10 1 1", alltoall, 0, 40, {}, 0},
      {"allgather 0 9 1 1", allgather, 0, 36, {}, 0}, // in place
      {"gather 9 0 2 1 1", gather, 2, 36, {}, 0},
      {"gather 0 9 0 1 1", gather, 0, 36, {}, 0},  // in place at the root
      {"gather 9 9 2 1 -1", gather, 2, 36, {}, 0}, // MPI_DATATYPE_NULL
      {"scatter 9 9 2 -1 1", scatter, 2, 36, {}, 0},
      {"scatter 0 9 2 1 1", scatter, 2, 36, {}, 0},
      {"scatter 9 0 0 1 1", scatter, 0, 36, {}, 0},
      {"gatherv 5 0 0 0 2 1 1", gatherv, 2, 20, {}, 0},
      {"scatterv 1 2 3 1 0 1 1", scatterv, 0, 0, {4, 8, 12}, 0},
      {"allgatherv 1 1 2 3 1 1", allgatherv, 0, 0, {4, 8, 12}, 0},
      {"allgatherv 1 1 2 3 1 0 0 0", allgatherv, 0, 0, {4, 8, 12}, 0}, // displacements after the type
      {"allgatherv 1 1 2 3 9 9 9", allgatherv, 0, 0, {1, 2, 3}, 0},    // or without one
      {"alltoallv 100 1 2 3 100 4 5 6 1 1", alltoallv, 0, 0, {4, 8, 12}, 0},
      {"reducescatter 1 2 3 77 0", reduce_scatter, 0, 0, {8, 16, 24}, 77},
      {"reducescatter 0 0 0 0 0 1", reduce_scatter, 0, 0, {20, 20, 20}, 0}, // a block of 5
  };
  for (const auto& [line, collective, root, bytes, sizes, work] : cases) {
    const auto call = only<CollectiveEvent>(std::string("0 ") + line);
    EXPECT_EQ(call.collective, collective) << line;
    EXPECT_EQ(call.root, root) << line;
    EXPECT_EQ(call.size, Bytes{bytes}) << line;
    EXPECT_EQ(call.sizes, sizes) << line;
    EXPECT_EQ(call.work, Flops{work}) << line;
  }
}

TEST(TiReader, TellsTheLineOfAFault) {
  const std::pair<const char*, const char*> cases[] = {
      {"snd 1 2 3", "r0: line 2: got the word \"snd\", expected a word that a replay knows (did you mean \"send\"?)"},
      {"send 1 2", "r0: line 2: got send with 2 arguments, expected at least 3: TO TAG COUNT [TYPE]"},
      {"send 3 2 3", "r0: line 2: send: got rank 3, expected a rank from 0 to 2"},
      {"send 1 -2 3", "r0: line 2: send: got tag -2, expected a tag from 0 on"},
      {"send 1 2 x", "r0: line 2: send: got \"x\", expected a number of elements"},
      {"send 1 2 -3", "r0: line 2: send: got \"-3\", expected a number of elements"},
      {"send 1 2 1.5", "r0: line 2: send: got \"1.5\", expected a number of elements"},
      {"send 1 2 1e15 0", "r0: line 2: send: got 1000000000000000 elements of 8 B, expected at most 1 PiB"},
      {"send 1 2 3 60", "r0: line 2: send: got data type 60, expected a data type from 0 to 59, or its size as "
                        "\"derived_type\" in the scenario"},
      {"send 1 2 3 -1", "r0: line 2: send: got data type -1, one that the application made, expected \"derived_type\", "
                        "the size of an element, in the scenario; the trace does not record it"},
      {"recv 1x 2 3", "r0: line 2: recv: got \"1x\", expected a rank"},
      {"bcast 3 3", "r0: line 2: bcast: got rank 3 as root, expected a rank from 0 to 2"},
      {"compute nan", "r0: line 2: compute: got \"nan\", expected a number of floating-point operations"},
      {"allgatherv 1 2 3", "r0: line 2: got allgatherv with 3 arguments, expected at least 4: SENT COUNT… [TYPE TYPE]"},
      {"allgatherv 1 1 2 1 1", // which has enough words for three without types
       "r0: line 3: got allgatherv with 5 arguments, expected at least 6: SENT COUNT… [TYPE TYPE]; it fits a "
       "communicator of 2 ranks, for which the scenario can have \"communicators\""},
      {"reducescatter 1 2 3", "r0: line 2: reducescatter: got 3 arguments, expected at least 4: COUNT… FLOPS [TYPE]"},
  };
  for (const auto& [line, message] : cases) {
    const bool has_types = std::string_view(message).starts_with("r0: line 3");
    auto stream = stream_of(std::string(has_types ? "0 init\n0 send 1 2 3 1\n0 " : "0 init\n0 ") + line);
    if (has_types)
      EXPECT_TRUE(stream.next()) << line;
    EXPECT_FALSE(stream.next()) << line;
    ASSERT_TRUE(stream.fault()) << line;
    EXPECT_EQ(to_text(*stream.fault()), message);
  }
  auto other = stream_of("1 init\n");
  EXPECT_FALSE(other.next());
  EXPECT_EQ(to_text(*other.fault()),
            "r0: line 1: got a line of rank 1, expected a line of rank 0, whose trace this is");
  auto bare = stream_of("0\n");
  EXPECT_FALSE(bare.next());
  EXPECT_EQ(to_text(*bare.fault()),
            "r0: line 1: got a rank and nothing else, expected a word of the vocabulary after it");
}

TEST(TiReader, TakesTheSizeOfDerivedTypesFromTheScenario) {
  const TiForm one{3, {Bytes{100}}};
  auto stream = stream_of("0 send 1 2 3 -1", one);
  EXPECT_EQ(std::get<SendEvent>(stream.next()->what).size, Bytes{300});
  const TiForm some{3, {Bytes{100}, {{"tag 7", Bytes{10}}, {"61", Bytes{20}}, {"bcast", Bytes{30}}}}};
  auto table = stream_of("0 send 1 7 3 -1\n0 send 1 7 3 61\n0 bcast 3 0 -1\n0 send 1 8 3 62", some);
  EXPECT_EQ(std::get<SendEvent>(table.next()->what).size, Bytes{30});
  EXPECT_EQ(std::get<SendEvent>(table.next()->what).size, Bytes{60});
  EXPECT_EQ(std::get<CollectiveEvent>(table.next()->what).size, Bytes{90});
  EXPECT_EQ(std::get<SendEvent>(table.next()->what).size, Bytes{300});
}

} // namespace
} // namespace kakehashi
