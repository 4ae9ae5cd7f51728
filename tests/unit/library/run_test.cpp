#include "kakehashi/kakehashi.hpp"

#include <gtest/gtest.h>
#include <stdexcept>

namespace kakehashi::api {
namespace {

// Four sockets, each with a link of 1 GB/s and 1 us to a switch. A message costs 2 us of the sender's core, two links'
// latency, and 1 us of the receiver's.
Machine star() {
  MachineBuilder builder("star");
  builder.device("switch", "switch");
  for (const std::string node : {"a", "b", "c", "d"}) {
    builder.device(node, "cpu", "cpu");
    builder.link(node + ".cpu", "switch", "ethernet", gigabytes_per_second(1), microseconds(1));
  }
  builder.fabric("net", {"ethernet"}, {}, {{.o_send = microseconds(2), .o_recv = microseconds(1)}});
  return builder.build();
}

const Placement pair{"a.cpu", "b.cpu"};
const Placement all{"a.cpu", "b.cpu", "c.cpu", "d.cpu"};

std::string faults_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string run_faults(const Placement& placement, const ProgramFunction& program) {
  return faults_of([&] { run(star(), "net", placement, program); });
}

Program one_message(Rank& rank) {
  if (rank.id() == 0)
    co_await rank.send(1, 1000 * B);
  else
    co_await rank.receive(0);
}

TEST(Library, RunsAMessageAsWorkedByHand) {
  const auto result = run(star(), "net", pair, one_message);
  // 2 us + 2 · 1 us + 1000 B / 1 GB/s + 1 us
  EXPECT_NEAR(in_microseconds(result.total), 6, 1e-6);
  EXPECT_NEAR(in_microseconds(result.ends[0]), 2, 1e-6);
  EXPECT_EQ(result.ends[1], result.total);
  EXPECT_EQ(result.messages, 1u);
}

TEST(Library, MakesAsManyRunsAsOneWants) {
  const auto machine = star();
  const auto first = run(machine, "net", pair, one_message);
  for (int i = 0; i < 20; ++i)
    EXPECT_EQ(run(machine, "net", pair, one_message).total, first.total);
}

TEST(Library, AgreesOnBothEngines) {
  const auto program = [](Rank& rank) -> Program {
    co_await rank.alltoall(64 * KiB);
    co_await rank.allreduce(KiB);
  };
  const auto machine = star();
  EXPECT_NEAR(in_microseconds(run(machine, "net", all, program, {.engine = Engine::simgrid}).total),
              in_microseconds(run(machine, "net", all, program).total), 1e-3);
}

TEST(Library, BroadcastsBetweenTwoInOneMessage) {
  const auto bcast = [](Rank& rank) -> Program { co_await rank.bcast(1000 * B, 0); };
  EXPECT_NEAR(in_microseconds(run(star(), "net", pair, bcast).total), 6, 1e-6);
}

TEST(Library, RunsEveryCollective) {
  using Call = Rank::Done (*)(Rank&);
  const std::vector<std::pair<const char*, Call>> calls{
      {"barrier", [](Rank& rank) { return rank.barrier(); }},
      {"bcast", [](Rank& rank) { return rank.bcast(KiB, 3); }},
      {"reduce", [](Rank& rank) { return rank.reduce(KiB, 2); }},
      {"allreduce", [](Rank& rank) { return rank.allreduce(KiB); }},
      {"gather", [](Rank& rank) { return rank.gather(KiB, 1); }},
      {"scatter", [](Rank& rank) { return rank.scatter(KiB, 1); }},
      {"allgather", [](Rank& rank) { return rank.allgather(KiB); }},
      {"alltoall", [](Rank& rank) { return rank.alltoall(KiB); }},
      {"reduce_scatter", [](Rank& rank) { return rank.reduce_scatter(KiB); }},
      {"scan", [](Rank& rank) { return rank.scan(KiB); }},
      {"exscan", [](Rank& rank) { return rank.exscan(KiB); }},
      {"gatherv",
       [](Rank& rank) {
         return rank.gatherv({KiB, KiB, 2 * KiB, B}, 0);
       }},
      {"scatterv",
       [](Rank& rank) {
         return rank.scatterv({KiB, KiB, 2 * KiB, B}, 0);
       }},
      {"allgatherv",
       [](Rank& rank) {
         return rank.allgatherv({KiB, KiB, 2 * KiB, B});
       }},
      {"alltoallv", [](Rank& rank) {
         return rank.alltoallv({KiB, KiB, 2 * KiB, B});
       }}};
  for (const auto& [name, call] : calls) {
    const auto once = [call = call](Rank& rank) -> Program { co_await call(rank); };
    const auto result = run(star(), "net", all, once);
    EXPECT_GE(result.messages, 3u) << name;
    EXPECT_GE(in_microseconds(result.total), 5) << name;
  }
}

Program exchange(Rank& rank) {
  co_await rank.sendreceive(1 - rank.id(), 8 * B, 1 - rank.id());
}

TEST(Library, GivesWhatAnOperationFound) {
  const auto program = [](Rank& rank) -> Program {
    if (rank.id() == 0) {
      const Status status = co_await rank.receive(any_source, any_tag);
      EXPECT_EQ(status.source, 1);
      EXPECT_EQ(status.tag, 7);
      const auto never = co_await rank.ireceive(1, 9);
      const auto soon = co_await rank.ireceive(1, 8);
      EXPECT_FALSE(co_await rank.test(soon));
      const std::vector<Request> both{never, soon};
      EXPECT_EQ(co_await rank.wait_any(both), 1u);
      EXPECT_TRUE(co_await rank.test(soon));
      co_await rank.wait(never);
    } else {
      co_await rank.send(0, 8 * B, 7);
      const auto before = rank.now();
      co_await rank.compute(microseconds(50));
      EXPECT_NEAR(in_microseconds(rank.now() - before), 50, 1e-6);
      co_await rank.send(0, 8 * B, 8);
      co_await rank.send(0, 8 * B, 9);
    }
    co_await exchange(rank);
  };
  EXPECT_EQ(run(star(), "net", pair, program).messages, 5u);
}

TEST(Library, SweepsFastestFirst) {
  MachineBuilder builder("uneven");
  builder.device("switch", "switch");
  for (const std::string node : {"a", "b", "c"}) {
    builder.device(node, "cpu", "cpu");
    builder.link(node + ".cpu", "switch", "ethernet", gigabytes_per_second(node == "c" ? 0.5 : 1));
  }
  builder.fabric("net", {"ethernet"}, {}, {Regime{}});
  const auto candidates =
      sweep(builder.build(), "net", {{"a.cpu", "c.cpu"}, {"a.cpu", "b.cpu"}, {"b.cpu", "a.cpu"}}, one_message);
  ASSERT_EQ(candidates.size(), 3u);
  EXPECT_EQ(candidates[0].placement, (Placement{"a.cpu", "b.cpu"}));
  EXPECT_EQ(candidates[1].placement, (Placement{"b.cpu", "a.cpu"}));
  EXPECT_EQ(candidates[2].placement, (Placement{"a.cpu", "c.cpu"}));
  EXPECT_NEAR(in_microseconds(candidates[0].run.total), 1, 1e-6);
  EXPECT_NEAR(in_microseconds(candidates[2].run.total), 2, 1e-6);
}

TEST(Library, NamesWhatCannotRun) {
  const auto machine = star();
  EXPECT_EQ(faults_of([&] { run(machine, "nett", pair, one_message); }),
            "/fabric: got \"nett\", expected a fabric of star: net (did you mean \"net\"?)");
  EXPECT_EQ(faults_of([&] {
              run(machine, "net", {"a.cpu", "e.cpu", "switch"}, one_message);
            }),
            "star: got device \"e.cpu\", expected one of a.cpu, b.cpu, c.cpu, d.cpu (did you mean \"a.cpu\"?)\n"
            "star: got device \"switch\", expected one of a.cpu, b.cpu, c.cpu, d.cpu");
  EXPECT_EQ(run_faults({}, one_message), "star: got a placement without ranks, expected at least one");
  EXPECT_EQ(faults_of([&] { run(machine, "net", pair, one_message, {.tolerance = 0.1}); }),
            "tolerance: got 0.1, expected 0 to 0.05");
}

TEST(Library, NamesWrongOperations) {
  const std::vector<std::pair<ProgramFunction, const char*>> table{
      {[](Rank& rank) -> Program { co_await rank.send(2, B); }, "receiver: got 2, expected a rank from 0 to 1"},
      {[](Rank& rank) -> Program { co_await rank.receive(-2); }, "sender: got -2, expected a rank from 0 to 1"},
      {[](Rank& rank) -> Program { co_await rank.get(any_source, B); }, "sender: got -1, expected a rank from 0 to 1"},
      {[](Rank& rank) -> Program { co_await rank.send(0, B, -3); }, "tag: got -3, expected 0 or more"},
      {[](Rank& rank) -> Program { co_await rank.bcast(B, 5); }, "root: got 5, expected a rank from 0 to 1"},
      {[](Rank& rank) -> Program { co_await rank.alltoallv(std::vector<Bytes>(3)); },
       "number of sizes: got 3, expected 2"},
      {[](Rank& rank) -> Program { co_await rank.compute(microseconds(-1)); },
       "time: got -1e-06, expected 0 s or more"},
      {[](Rank& rank) -> Program { co_await rank.wait(Request{4}); },
       "request: got 4, expected one that this rank has started"},
      {[](Rank& rank) -> Program { co_await rank.wait_any(std::vector<Request>()); },
       "wait_any: got no request, expected at least one"},
      {[](Rank&) -> Program { co_await std::suspend_always{}; },
       "the program awaits something that is no operation of its own rank"}};
  for (const auto& [program, fault] : table)
    EXPECT_EQ(run_faults(pair, program), "rank 0 at 0 us: " + std::string(fault));
}

TEST(Library, ComparesTheCollectivesOfRanks) {
  const auto program = [](Rank& rank) -> Program {
    if (rank.id() == 0)
      co_await rank.allreduce(8 * B);
    else
      co_await rank.bcast(8 * B, 0);
  };
  EXPECT_EQ(
      run_faults(pair, program),
      "program: at 0 us: rank 1 calls bcast of 8 B with root 0, but rank 0 calls allreduce of 8 B (program: at 0 us) "
      "as its collective call number 1 too");
}

TEST(Library, NamesWhoIsStuck) {
  const auto program = [](Rank& rank) -> Program { co_await rank.receive(1 - rank.id()); };
  const auto fault = run_faults(pair, program);
  EXPECT_NE(fault.find("deadlock"), std::string::npos) << fault;
  EXPECT_NE(fault.find("rank 1"), std::string::npos) << fault;
}

TEST(Library, PassesOnWhatAProgramThrows) {
  const auto inner = [](Rank& rank) -> Program {
    co_await rank.compute(microseconds(1));
    if (rank.id() == 1)
      throw std::domain_error("of my own");
  };
  const auto program = [&](Rank& rank) -> Program {
    co_await inner(rank);
    co_await rank.barrier();
  };
  EXPECT_THROW(run(star(), "net", pair, program), std::domain_error);
  const ProgramFunction at_once = [](Rank&) -> Program { throw std::domain_error("before it began"); };
  EXPECT_THROW(run(star(), "net", pair, at_once), std::domain_error);
}

TEST(MachineBuilder, ChecksAsAFileIsChecked) {
  MachineBuilder builder("p");
  builder.device("n", "cpu", "cpus").device("n", "nic", "nic");
  builder.link("n.cpu", "n.nic", "pci", gigabytes_per_second(-1));
  const auto fault = faults_of([&] { static_cast<void>(builder.build()); });
  EXPECT_NE(fault.find("p: /templates/n/devices/0/kind: "), std::string::npos) << fault;
  EXPECT_NE(fault.find("p: /templates/n/links/0/type: "), std::string::npos) << fault;
}

TEST(Machine, LoadsAPlatform) {
  const auto machine = Machine::load(KAKEHASHI_SOURCE_DIR "/platforms/hpcdiy-qdr.json");
  EXPECT_EQ(machine.name(), "hpcdiy-qdr");
  EXPECT_EQ(machine.fabrics(), (std::vector<std::string>{"gbe", "gbe-shm", "qdr", "qdr-shm", "shm"}));
  EXPECT_EQ(machine.devices(), (std::vector<std::string>{"hpc01.cpu0", "hpc01.cpu1", "hpc02.cpu0", "hpc02.cpu1"}));
  EXPECT_EQ(faults_of([] { static_cast<void>(Machine::parse("{", "text")); }).substr(0, 6), "text: ");
}

} // namespace
} // namespace kakehashi::api
