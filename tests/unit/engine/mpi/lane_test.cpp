// Operations on lanes, with times worked by hand, on both engines.
#include "engine/mpi/two_protocols.hpp"
#include "engine/run.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace lane_test {

// Two nodes of a cpu and a gpu: the cpus are joined at 1 GB/s with 1 us, the gpus at 10 GB/s with 2 us. A message takes
// 0.5 us at its sender and 0.25 us at its receiver; with the fabric "quick" none of that.
std::shared_ptr<Platform> machine() {
  auto platform = std::make_shared<Platform>();
  platform->name = "m";
  platform->file = "p.json";
  platform->nodes = {"a", "b"};
  platform->devices = {{"a.cpu", DeviceKind::cpu, 0, std::nullopt},
                       {"a.gpu", DeviceKind::gpu, 0, std::nullopt},
                       {"b.cpu", DeviceKind::cpu, 1, std::nullopt},
                       {"b.gpu", DeviceKind::gpu, 1, std::nullopt}};
  add_link(*platform, 0, 2, link_type("ethernet"), 1, microseconds(1));
  add_link(*platform, 1, 3, link_type("ethernet"), 10, microseconds(2));
  Regime eager;
  eager.send_overhead.fill(microseconds(0.5));
  eager.receive_overhead.fill(microseconds(0.25));
  Fabric net;
  net.name = "net";
  net.links = {link_type("ethernet")};
  net.rules = {{std::nullopt, std::nullopt, std::nullopt, {eager}}};
  auto quick = net;
  quick.name = "quick";
  quick.rules[0].regimes[0] = {};
  platform->fabrics = {net, quick};
  return platform;
}

Lanes with(Lane lane) {
  auto lanes = usual_lanes();
  lanes.push_back(std::move(lane));
  return lanes;
}
const auto added = static_cast<LaneNumber>(usual_lanes().size());

Lane of_worker(int at_a_time = 1) {
  return {.name = "stream", .fabric = "", .worker = LaneWorker::own, .at_a_time = at_a_time};
}

// When each rank ends, in us: the same on both engines.
std::vector<double> ends(const Lanes& lanes, Program (*program)(Rank&)) {
  Job job;
  job.program = program;
  job.table = [](const JobEnd&) { return Table{}; };
  std::vector<std::vector<double>> found;
  for (const auto kind : {EngineKind::simgrid, EngineKind::fluid}) {
    const auto planned = plan(machine(), "net", {0, 2}, lanes);
    EXPECT_TRUE(planned);
    const auto done = run(job, nullptr, *planned, {kind});
    EXPECT_TRUE(done) << to_text(done.errors().front());
    for (auto& times = found.emplace_back(); const auto end : done->end.finish)
      times.push_back(in_microseconds(end));
  }
  EXPECT_NEAR(found[0][0], found[1][0], 1e-3);
  EXPECT_NEAR(found[0][1], found[1][1], 1e-3);
  return found[1];
}

Program message(Rank& rank) {
  if (rank.id == 0)
    co_await rank.send(1, Bytes{10'000}, 0, added);
  else
    co_await rank.receive(0);
}

// 10 kB take 10 us between the cpus, and 1 us between the gpus.
TEST(Lane, HasItsMessagesBetweenItsPlaces) {
  EXPECT_NEAR(ends(with({.name = "own", .fabric = ""}), message)[1], 0.5 + 1 + 10 + 0.25, 1e-3);
  const Lane gpus{.name = "gpus", .fabric = "", .place = LanePlace::named, .device = "gpu"};
  EXPECT_NEAR(ends(with(gpus), message)[1], 0.5 + 2 + 1 + 0.25, 1e-3);
}

TEST(Lane, HasItsOwnProtocol) {
  EXPECT_NEAR(ends(with({.name = "call", .fabric = "quick"}), message)[1], 1 + 10, 1e-3);
}

Program message_beside_work(Rank& rank) {
  if (rank.id == 0) {
    const auto sent = co_await rank.isend(1, Bytes{10'000}, 0, added);
    co_await rank.compute(microseconds(5));
    co_await rank.wait(sent);
  } else {
    const auto received = co_await rank.ireceive(0);
    co_await rank.compute(microseconds(20));
    co_await rank.wait(received);
  }
}

// The cores have 5 and 20 us of work alone; else the message's overheads are before and behind these.
TEST(Lane, WithAWorkerOfItsOwnLeavesTheCoresAlone) {
  const auto shared = ends(with({.name = "own", .fabric = ""}), message_beside_work);
  EXPECT_NEAR(shared[0], 0.5 + 5, 1e-3);
  EXPECT_NEAR(shared[1], 20 + 0.25, 1e-3);
  const auto apart = ends(with(of_worker()), message_beside_work);
  EXPECT_NEAR(apart[0], 5, 1e-3);
  EXPECT_NEAR(apart[1], 20, 1e-3);
}

Program three_works(Rank& rank) {
  std::vector<Request> works;
  for (int i = 0; i < 3; ++i)
    works.push_back(co_await rank.icompute(microseconds(4), added));
  co_await rank.wait_all(std::move(works));
}

TEST(Lane, DoesSoManyOperationsAtATime) {
  EXPECT_NEAR(ends(with(of_worker(1)), three_works)[0], 12, 1e-3);
  EXPECT_NEAR(ends(with(of_worker(2)), three_works)[0], 8, 1e-3);
  EXPECT_NEAR(ends(with(of_worker(3)), three_works)[0], 4, 1e-3);
  EXPECT_NEAR(ends(with({.name = "cores", .worker = LaneWorker::another_core}), three_works)[0], 4, 1e-3);
}

Program any_of_all(Rank& rank) {
  rank.waits_for_any = true;
  for (const double time : {6, 2, 4})
    co_await rank.icompute(microseconds(time), added);
  EXPECT_EQ((co_await rank.wait_for_any()).index, 1u);
  co_await rank.compute(microseconds(3));
  EXPECT_EQ((co_await rank.wait_for_any()).index, 2u);
  EXPECT_EQ((co_await rank.wait_for_any()).index, 0u);
}

// The second work ends at 2 us, the third at 4 us while the rank computes until 5 us, the first at 6 us.
TEST(Requests, ThatAnyWaitFindsAreToldOnce) {
  EXPECT_NEAR(ends(with({.name = "cores", .worker = LaneWorker::another_core}), any_of_all)[0], 6, 1e-3);
}

Program work_that_blocks(Rank& rank) {
  co_await rank.compute_in_call(microseconds(4), {}, added);
  co_await rank.compute(microseconds(1));
}

TEST(Lane, HoldsTheRankUpWithWorkThatBlocks) {
  EXPECT_NEAR(ends(with(of_worker()), work_that_blocks)[0], 5, 1e-3);
}

// The call begins when the second rank comes, 7 us late, and takes the longer time, 5 us; rank 0 works meanwhile.
Program call_together(Rank& rank) {
  if (rank.id == 0) {
    const auto call = co_await rank.perform(JointOperation{7, 2, microseconds(4), false});
    co_await rank.compute(microseconds(3));
    co_await rank.wait(call);
  } else {
    co_await rank.compute(microseconds(7));
    co_await rank.perform(JointOperation{7, 2, microseconds(5)});
    co_await rank.compute(microseconds(1));
  }
}

TEST(Joint, CallsBeginWithTheLastRank) {
  const auto found = ends(usual_lanes(), call_together);
  EXPECT_NEAR(found[0], 7 + 5, 1e-3);
  EXPECT_NEAR(found[1], 7 + 5 + 1, 1e-3);
}

TEST(Joint, CallsAreRecordedAsWaitingAndTransfer) {
  Job job;
  job.program = call_together;
  job.table = [](const JobEnd&) { return Table{}; };
  Recording recording;
  recording.keep_path = true;
  const auto planned = plan(machine(), "net", {0, 2}, usual_lanes());
  ASSERT_TRUE(run(job, nullptr, *planned, {EngineKind::fluid}, &recording));
  EXPECT_NEAR(in_microseconds(recording.ranks[0].compute), 3, 1e-3);
  EXPECT_NEAR(in_microseconds(recording.ranks[0].waiting), 4, 1e-3);
  EXPECT_NEAR(in_microseconds(recording.ranks[0].transfer), 5, 1e-3);
  EXPECT_NEAR(in_microseconds(recording.ranks[1].compute), 8, 1e-3);
  EXPECT_NEAR(in_microseconds(recording.ranks[1].transfer), 5, 1e-3);
}

Program call_alone(Rank& rank) {
  if (rank.id == 0)
    co_await rank.perform(JointOperation{1, 2, microseconds(4)});
}

TEST(Joint, CallsThatARankMissesAreADeadlock) {
  Job job;
  job.program = call_alone;
  job.table = [](const JobEnd&) { return Table{}; };
  const auto planned = plan(machine(), "net", {0, 2}, usual_lanes());
  const auto done = run(job, nullptr, *planned, {EngineKind::fluid});
  ASSERT_FALSE(done);
  EXPECT_EQ(done.errors().front().message, "deadlock after 0.000 us: 1 of 2 ranks wait for ever\n"
                                           "  rank 0: call of 2 ranks together, for 4.000 us");
}

Program long_one_first(Rank& rank) {
  if (rank.id == 0) {
    const auto sent = co_await rank.isend(1, Bytes{100'000}, 1);
    co_await rank.send(1, Bytes{0}, 2, added);
    co_await rank.wait(sent);
  } else {
    co_await rank.receive(0, 2);
  }
}

// The long one keeps the connection of the ranks for 100 us.
TEST(Lane, WithAWorkerOfItsOwnWaitsForNoMessageOfOthers) {
  EXPECT_NEAR(ends(with({.name = "own", .fabric = ""}), long_one_first)[1], 0.5 + 1 + 100 + 0.25, 1e-3);
  EXPECT_NEAR(ends(with(of_worker()), long_one_first)[1], 0.5 + 0.5 + 1 + 0.25, 1e-3);
}

std::string fault(Lane lane) {
  const auto planned = plan(machine(), "net", {0, 2}, with(std::move(lane)));
  return planned ? "" : to_text(planned.errors().front());
}

TEST(Lane, NeedsItsPlaceAndItsFabric) {
  EXPECT_EQ(fault({.name = "far", .fabric = "", .place = LanePlace::named, .device = "dpu"}),
            "p.json: there is no device \"dpu\" in the node of \"a.cpu\", for the lane \"far\"");
  EXPECT_EQ(fault({.name = "far", .fabric = "nte", .stated_at = "/mpi/lanes/far"}),
            "/mpi/lanes/far: got \"nte\", expected a fabric of p.json: net, quick (did you mean \"net\"?)");
  EXPECT_EQ(fault({.name = "far", .fabric = "nte", .is_open = false}), "");
}

Program path_of_one(Rank& rank) {
  if (rank.id == 0)
    co_await rank.send(1, Bytes{10'000}, 0, added);
  else
    co_await rank.receive(0);
}

// Its worker's times are steps of the path, but no time of the ranks' cores.
TEST(Lane, ShowsItsWorkerOnTheCriticalPath) {
  Job job;
  job.program = path_of_one;
  job.table = [](const JobEnd&) { return Table{}; };
  Recording recording;
  recording.keep_path = true;
  const auto planned = plan(machine(), "net", {0, 2}, with(of_worker()));
  const auto done = run(job, nullptr, *planned, {EngineKind::fluid}, &recording);
  ASSERT_TRUE(done);
  EXPECT_NEAR(in_microseconds(done->end.duration), 11.75, 1e-3);
  EXPECT_NEAR(in_microseconds(recording.ranks[0].overhead + recording.ranks[1].overhead), 0, 1e-3);
  EXPECT_NEAR(in_microseconds(recording.path.log.time()), 11.75, 1e-3);
}

} // namespace lane_test
} // namespace kakehashi
