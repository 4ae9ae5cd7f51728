// The order in which messages, payloads and rounds act, on a network that ends flows when the test says so.
#include "engine/mpi/fake_network.hpp"
#include "engine/mpi/messages.hpp"
#include "engine/mpi/simulation.hpp"
#include "engine/mpi/two_protocols.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace kakehashi {
namespace messages_test {

// Nodes of a cpu each around a switch, 1 us from each other.
Platform star(std::size_t nodes) {
  Platform platform;
  platform.devices = {{"switch", DeviceKind::network_switch, std::nullopt, std::nullopt}};
  for (std::size_t node = 0; node < nodes; ++node) {
    platform.nodes.push_back(fmt::format("n{}", node));
    platform.devices.push_back({fmt::format("n{}.cpu", node), DeviceKind::cpu, node, std::nullopt});
    add_link(platform, node + 1, 0, link_type("ethernet"), 1, microseconds(0.5));
  }
  platform.fabrics = {two_protocols()}; // cores of 0.5 and 0.25 us; from 10 kB on three trips
  return platform;
}

// Ranks that ask for what the test tells them to. What they and the network then do is a list of lines.
class Bench {
public:
  explicit Bench(Platform made, std::size_t ranks = 3)
      : platform_(std::move(made)), devices_(devices_of(ranks)), pending_(ranks), states_(setting_, agenda_),
        messages_(setting_, agenda_, states_, sets_) {
    for (std::size_t rank = 0; rank < ranks; ++rank)
      states_[static_cast<int>(rank)].view.pending = &pending_[rank];
  }

  void send(int from, int to, std::uint64_t size, int tag = 0) {
    messages_.send(from, {to, Bytes{size}, tag, true}, true, false, {});
    settle();
  }
  void isend(int from, int to, std::uint64_t size, int tag = 0) {
    messages_.send(from, {to, Bytes{size}, tag, false}, false, true, {});
    settle();
  }
  void receive(int at, int from, int tag = any_tag) {
    messages_.receive(at, {from, tag, true}, true, {});
    settle();
  }
  void put(int from, int to, std::uint64_t size) {
    messages_.access(from, {to, Bytes{size}, false, true}, {});
    settle();
  }

  // Lets the time pass until then. Returns what has happened, as "1.5: 1000 B flow".
  std::vector<std::string> until(double us) {
    while (const auto event = network_.end_delay(microseconds(us)))
      handle_and_settle(*event);
    network_.go_to(microseconds(us));
    return std::exchange(lines_, {});
  }
  // Ends the flow that began first at this time; nothing else may be due before.
  std::vector<std::string> end_flow(double us, std::size_t number = 0) {
    EXPECT_EQ(until(us), std::vector<std::string>{});
    const auto event = network_.end_flow(number);
    seen_ = network_.flows().size();
    handle_and_settle(event);
    return std::exchange(lines_, {});
  }
  const FakeNetwork& network() const { return network_; }
  int tag_received(int rank) const { return pending_[static_cast<std::size_t>(rank)].received.tag; }

private:
  static std::vector<std::size_t> devices_of(std::size_t ranks) {
    std::vector<std::size_t> devices;
    for (std::size_t rank = 0; rank < ranks; ++rank)
      devices.push_back(rank + 1);
    return devices;
  }
  void note(const std::string& what) {
    lines_.push_back(fmt::format("{:g}: {}", in_microseconds(network_.now()), what));
  }
  void handle(Event event) {
    if (event.kind == rank_resumes)
      note(fmt::format("rank {} resumes", event.id));
    else
      messages_.handle(event);
    for (; seen_ < network_.flows().size(); ++seen_)
      note(fmt::format("{} flow", to_text(network_.flows()[seen_].size)));
  }
  void settle() {
    agenda_.settle([this](Event event) { handle(event); });
  }
  void handle_and_settle(Event event) {
    handle(event);
    settle();
  }

  Platform platform_;
  std::vector<std::size_t> devices_;
  std::vector<PendingOperation> pending_;
  Topology topology_{platform_};
  FakeNetwork network_;
  WayTable ways_{platform_, topology_, platform_.fabrics[0], devices_};
  Setting setting_{.network = network_, .ways = ways_, .ranks = static_cast<int>(devices_.size())};
  Agenda agenda_{network_};
  RankTable states_;
  ChannelSets sets_{network_, ways_, nullptr};
  Messages messages_;
  std::size_t seen_ = 0; // flows
  std::vector<std::string> lines_;
};

using Lines = std::vector<std::string>;

TEST(Messages, ThatAreEagerLeaveTheirSenderBeforeTheyFlow) {
  Bench bench(star(2), 2);
  bench.send(0, 1, 9999);
  EXPECT_EQ(bench.until(50), (Lines{"0.5: rank 0 resumes", "1.5: 9999 B flow"}));
  EXPECT_EQ(bench.end_flow(60), Lines{}); // the message waits for its receive
  bench.receive(1, 0);
  EXPECT_EQ(bench.until(70), (Lines{"60.25: rank 1 resumes"}));
}

// Just at the border: the request takes one trip, the answer and the payload's way two more.
TEST(Messages, FromTheThresholdOnAskTheirReceiver) {
  Bench bench(star(2), 2);
  bench.send(0, 1, 10000);
  EXPECT_EQ(bench.until(50), Lines{});
  bench.receive(1, 0);
  EXPECT_EQ(bench.until(60), (Lines{"52: 10000 B flow"}));
  EXPECT_EQ(bench.end_flow(62), (Lines{"62: rank 0 resumes"}));
  EXPECT_EQ(bench.until(70), (Lines{"62.25: rank 1 resumes"}));
}

TEST(Messages, AreMatchedInTheOrderOfTheirSends) {
  Bench bench(star(2), 2);
  bench.isend(0, 1, 9999, 1);
  bench.isend(0, 1, 10000, 2);
  bench.receive(1, 0);
  // The request is there at 2 us, before the payload of the message sent before.
  EXPECT_EQ(bench.until(10), (Lines{"0.5: rank 0 resumes", "1: rank 0 resumes", "1.5: 9999 B flow"}));
  EXPECT_EQ(bench.end_flow(11), Lines{});
  EXPECT_EQ(bench.until(12), (Lines{"11.25: rank 1 resumes"}));
  EXPECT_EQ(bench.tag_received(1), 1);
  bench.receive(1, 0);
  EXPECT_EQ(bench.until(20), (Lines{"14: 10000 B flow"}));
  bench.end_flow(24);
  bench.until(30);
  EXPECT_EQ(bench.tag_received(1), 2);
}

TEST(Messages, ThatArePutOccupyNoReceiver) {
  Bench bench(star(2), 2);
  bench.put(0, 1, 1000);
  EXPECT_EQ(bench.until(50), (Lines{"1.5: 1000 B flow"}));
  EXPECT_EQ(bench.end_flow(60), (Lines{"60: rank 0 resumes"}));
  EXPECT_EQ(bench.until(70), Lines{});
}

TEST(Payloads, OfAConnectionFlowOneAfterTheOther) {
  Bench bench(star(3));
  bench.isend(0, 1, 1000);
  bench.isend(0, 1, 2000);
  bench.isend(0, 2, 3000);
  EXPECT_EQ(bench.until(50), (Lines{"0.5: rank 0 resumes", "1: rank 0 resumes", "1.5: 1000 B flow",
                                    "1.5: rank 0 resumes", "2.5: 3000 B flow"}));
  EXPECT_EQ(bench.end_flow(60), (Lines{"60: 2000 B flow"}));
}

// A long payload that is granted may overtake an eager one that is not ready, but no eager one does.
TEST(Payloads, ThatAreEagerKeepTheirOrder) {
  auto platform = star(2);
  platform.fabrics[0].rules[0].regimes[0].alignment = Alignment{Bytes{1000}, microseconds(100)};
  Bench bench(std::move(platform), 2);
  bench.isend(0, 1, 1001); // ready 100 us later
  bench.isend(0, 1, 1000);
  bench.until(50);
  EXPECT_TRUE(bench.network().flows().empty());
  EXPECT_EQ(bench.until(200), (Lines{"101.5: 1001 B flow"}));
  EXPECT_EQ(bench.end_flow(201), (Lines{"201: 1000 B flow"}));
}

// Ten us lie between the starts of payloads of one sender to different receivers, and between an end and the next start
// on one connection.
TEST(Payloads, WaitForTheGap) {
  auto platform = star(4);
  platform.fabrics[0].rules[0].regimes[0].gap = microseconds(10);
  Bench bench(std::move(platform), 4);
  bench.isend(0, 1, 1000);
  bench.isend(0, 2, 2000);
  bench.isend(0, 3, 3000);
  bench.isend(0, 1, 4000);
  EXPECT_EQ(bench.until(50),
            (Lines{"0.5: rank 0 resumes", "1: rank 0 resumes", "1.5: 1000 B flow", "1.5: rank 0 resumes",
                   "2: rank 0 resumes", "11.5: 2000 B flow", "21.5: 3000 B flow"}));
  EXPECT_EQ(bench.end_flow(60), Lines{});
  EXPECT_EQ(bench.until(69.9), Lines{});
  EXPECT_EQ(bench.until(80), (Lines{"70: 4000 B flow"}));
}

// Two ranks whose rounds take 1 us, but that those behind four windows of 64 take longer.
struct Loop {
  int rounds = 0; // before the ranks leave some out
  int left_out = 0;
  double time_left_out = 0; // us
};
Loop loop_of(int rounds, double later) {
  FakeNetwork network;
  Rounds observer(network, 2, nullptr);
  Loop loop;
  double clock = 0;
  for (int left = rounds; left >= 0 && loop.left_out == 0; --left, ++loop.rounds) {
    const int first = observer.begins(0, left);
    const int second = observer.begins(1, left);
    loop.left_out = std::max(first, second);
    clock += loop.rounds < 4 * 64 ? 1 : later;
    network.go_to(microseconds(clock));
  }
  loop.time_left_out = in_microseconds(observer.time_left_out());
  return loop;
}

// Behind the first window, in which the ranks come into step.
TEST(Rounds, LeaveOthersOutOnceFourWindowsTookAsLong) {
  const auto loop = loop_of(1000, 1);
  EXPECT_EQ(loop.rounds, 5 * 64 + 1);
  EXPECT_EQ(loop.left_out, 1000 - 5 * 64 - 64); // all but a window
  EXPECT_NEAR(loop.time_left_out, 616, 1e-6);
}

TEST(Rounds, AreAlikeUpToTwoPartsInAThousand) {
  EXPECT_EQ(loop_of(1000, 1.0019).rounds, 5 * 64 + 1);
  EXPECT_EQ(loop_of(1000, 1.0021).rounds, 8 * 64 + 1); // four of the longer ones
}

TEST(Rounds, AtTheEndOfALoopAreSimulated) {
  EXPECT_EQ(loop_of(5 * 64 + 64 + 1, 1).left_out, 0);
  EXPECT_EQ(loop_of(5 * 64 + 64 + 2, 1).left_out, 2);
}

} // namespace messages_test
} // namespace kakehashi
