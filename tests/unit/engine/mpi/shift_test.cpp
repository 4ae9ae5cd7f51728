// Runs in which the first ranks stand for all, and some rounds for others, are held to those of all ranks and rounds.
#include "engine/mpi/two_protocols.hpp"
#include "engine/run.hpp"
#include "engine/shifts.hpp"
#include "input/platform/platform_reader.hpp"
#include "model/scenario.hpp"
#include "study/run/scenario_run.hpp"
#include "workload/collective/registry.hpp"
#include "workload/workload.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace kakehashi {
namespace {

// Nodes of two sockets around a ring, or under a switch.
std::shared_ptr<Platform> nodes_on(std::string_view network, std::size_t nodes) {
  auto platform = std::make_shared<Platform>();
  platform->name = network;
  const bool is_ring = network == "ring";
  for (std::size_t node = 0; node < nodes; ++node) {
    platform->nodes.push_back("n" + std::to_string(node));
    for (const auto* cpu : {".cpu0", ".cpu1"})
      platform->devices.push_back({platform->nodes.back() + cpu, DeviceKind::cpu, node, std::nullopt});
    platform->devices.push_back({platform->nodes.back() + ".nic", DeviceKind::nic, node, std::nullopt});
    platform->devices.back().message_rate = 2e6;
  }
  platform->devices.push_back({"switch", DeviceKind::network_switch, std::nullopt, std::nullopt});
  for (std::size_t node = 0; node < nodes; ++node) {
    add_link(*platform, 3 * node, 3 * node + 1, link_type("qpi"), 10, microseconds(0.3));
    add_link(*platform, 3 * node + 1, 3 * node + 2, link_type("pcie"), 3, microseconds(1));
    add_link(*platform, 3 * node + 2, is_ring ? 3 * ((node + 1) % nodes) + 2 : 3 * nodes, link_type("ethernet"), 1,
             microseconds(1));
  }
  platform->fabrics = {two_protocols()};
  platform->fabrics.front().links.push_back(link_type("qpi"));
  return platform;
}

Scenario scenario_on(std::shared_ptr<const Platform> platform, int ranks_each) {
  Scenario scenario;
  scenario.name = "s";
  scenario.file = "s.json";
  scenario.fabric = platform->fabrics.front().name;
  for (std::size_t device = 0; device < platform->devices.size(); ++device)
    for (int i = 0; i < ranks_each && platform->devices[device].kind == DeviceKind::cpu; ++i)
      scenario.ranks.push_back(device);
  scenario.platform = std::move(platform);
  Benchmark benchmark;
  benchmark.name = "osu-alltoall";
  benchmark.sizes = {Bytes{8}, Bytes{1000}, Bytes{20000}};
  benchmark.repetitions = 3;
  scenario.workload = benchmark;
  return scenario;
}

Result<RunRecord> run_fluid(const Scenario& scenario, bool whole, Recording* recording = nullptr) {
  EngineOptions options{EngineKind::fluid, 0};
  options.whole = whole;
  return run(scenario, recording, options);
}

void expect_same(const Scenario& scenario, const std::string& standing) {
  const auto all = run_fluid(scenario, true);
  const auto some = run_fluid(scenario, false);
  ASSERT_TRUE(all && some);
  EXPECT_EQ(some->engine, all->engine + ", " + standing + " in step");
  EXPECT_EQ(some->messages, all->messages);
  EXPECT_NEAR(some->duration / all->duration, 1, 1e-9);
  ASSERT_EQ(some->table.figures.size(), all->table.figures.size());
  for (std::size_t i = 0; i < all->table.figures.size(); ++i) {
    const auto& mine = some->table.figures[i];
    const auto& theirs = all->table.figures[i];
    EXPECT_NEAR(mine.t_min / theirs.t_min, 1, 1e-9) << mine.size;
    EXPECT_NEAR(mine.t_avg / theirs.t_avg, 1, 1e-9) << mine.size;
    EXPECT_NEAR(mine.t_max / theirs.t_max, 1, 1e-9) << mine.size;
  }
}

void set_algorithm_of(Scenario& scenario, Collective collective, std::string_view name) {
  scenario.mpi.algorithms[static_cast<std::size_t>(collective)] = {index_of_algorithm(collective, name)};
}

void set_algorithm(Scenario& scenario, const AlgorithmRow& row) {
  auto& benchmark = std::get<Benchmark>(scenario.workload);
  benchmark.name = fmt::format("osu-{}", collective_names[static_cast<std::size_t>(row.collective)]);
  set_algorithm_of(scenario, row.collective, row.name);
}

TEST(Shift, GivesTheTimesOfAllRanks) {
  for (const auto& row : algorithm_table()) {
    if (row.traits.shifts_by == 0 || row.traits.is_mirrored || row.collective == Collective::barrier)
      continue;
    SCOPED_TRACE(row.name);
    auto ring = scenario_on(nodes_on("ring", 5), 1);
    set_algorithm(ring, row);
    expect_same(ring, "2 ranks for 10");
    auto under_switch = scenario_on(nodes_on("switch", 6), 2);
    set_algorithm(under_switch, row);
    expect_same(under_switch, "4 ranks for 24");
  }
}

TEST(Shift, KeepsToTheTiesOfATorus) {
  const auto platform = read_platform(KAKEHASHI_SOURCE_DIR "/platforms/fx10-tofu.json");
  ASSERT_TRUE(platform);
  auto scenario = scenario_on(std::make_shared<Platform>(*platform), 1);
  std::erase_if(scenario.ranks,
                [&](std::size_t device) { return platform->devices[device].name.find("y0") == std::string::npos; });
  std::get<Benchmark>(scenario.workload).sizes = {Bytes{1000}};
  expect_same(scenario, "32 ranks for 64");
}

TEST(Shift, GoesAlongTheLastDimensionOfATorus) {
  const auto on_torus = [](std::string_view shape, int nodes) {
    const auto text = fmt::format(R"({{"name": "p",
        "templates": {{"t": {{"devices": [{{"name": "cpu", "kind": "cpu"}}, {{"name": "router", "kind": "switch"}}],
          "links": [{{"between": ["cpu", "router"], "type": "ethernet", "bandwidth": "2 GB/s", "latency": "0.4 us"}}]}}}},
        "nodes": {{"n[0-{0}]": "t"}},
        "networks": {{"net": {{"kind": "torus", "joins": ["n[0-{0}].router"], "shape": {1},
                             "link": {{"type": "ethernet", "bandwidth": "1 GB/s", "latency": "0.1 us"}}}}}},
        "fabrics": {{"f": {{"links": ["ethernet"], "rules": [{{"regimes": [
          {{"from": "0 B", "to": "8 KiB", "o_send": "0.3 us", "o_recv": "0.2 us"}}, {{"from": "8 KiB", "trips": 3}}]}}]}}}}}})",
                                  nodes - 1, shape);
    return scenario_on(std::make_shared<Platform>(*parse_platform(*parse_json(text, "p.json"))), 2);
  };
  expect_same(on_torus("[2, 3, 4]", 24), "12 ranks for 48");
  expect_same(on_torus("[3, 4]", 12), "12 ranks for 24"); // half around a ring the turn changes from node to node
  expect_same(on_torus("[4, 5]", 20), "8 ranks for 40");
}

// A recording by the ranks that stand for all, and one of all.
void expect_alike(const Recording& some, const Recording& all, Seconds duration) {
  EXPECT_EQ(all.standing_ranks, 0u);
  ASSERT_EQ(some.ranks.size(), all.ranks.size());
  const double rounding = 1e-9 * duration.value;
  for (std::size_t rank = 0; rank < all.ranks.size(); ++rank)
    for (const auto time : {&RankTimes::compute, &RankTimes::overhead, &RankTimes::waiting, &RankTimes::transfer})
      EXPECT_NEAR((some.ranks[rank].*time).value, (all.ranks[rank].*time).value, rounding) << rank;

  ASSERT_EQ(some.channel_bytes.size(), all.channel_bytes.size());
  for (std::size_t channel = 0; channel < all.channel_bytes.size(); ++channel)
    EXPECT_EQ(some.channel_bytes[channel], all.channel_bytes[channel]) << channel;

  const auto pairs = all.traffic->pairs();
  const auto images = some.traffic->pairs();
  ASSERT_EQ(images.size(), pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    EXPECT_EQ(images[i].from, pairs[i].from);
    EXPECT_EQ(images[i].to, pairs[i].to);
    EXPECT_EQ(images[i].field.messages, pairs[i].field.messages);
    EXPECT_EQ(images[i].field.bytes, pairs[i].field.bytes);
  }

  // Which of several paths that are equally long is told may differ.
  EXPECT_NEAR(some.path.log.time().value, duration.value, rounding);
  for (const auto& [sort, total] : some.path.log.totals())
    EXPECT_LT(static_cast<std::size_t>(std::max(sort.from, 0)), some.standing_ranks);
}

// What is recorded of all ranks is that of all ranks, too.
void expect_same_recording(const Scenario& scenario) {
  Recording all, some;
  for (auto* recording : {&all, &some}) {
    recording->keep_path = true;
    recording->traffic.emplace(scenario.ranks.size());
  }
  const auto whole = run_fluid(scenario, true, &all);
  const auto folded = run_fluid(scenario, false, &some);
  ASSERT_TRUE(whole && folded);
  EXPECT_EQ(folded->engine,
            fmt::format("{}, {} ranks for {} in step", whole->engine, some.standing_ranks, scenario.ranks.size()));
  expect_alike(some, all, whole->duration);
}

TEST(Shift, RecordsWhatAllRanksDo) {
  for (const auto& row : algorithm_table()) {
    if (row.traits.shifts_by == 0 || row.collective == Collective::barrier)
      continue;
    SCOPED_TRACE(fmt::format("{} {}", collective_names[static_cast<std::size_t>(row.collective)], row.name));
    const auto platform = nodes_on("ring", 5);
    for (auto& device : platform->devices)
      device.message_rate = row.traits.is_mirrored ? 0 : device.message_rate;
    auto scenario = scenario_on(platform, 3);
    set_algorithm(scenario, row);
    expect_same_recording(scenario);
  }
}

// More ranks than a picture of who sends to whom has lines, so that these and the ranks that stand for all end
// elsewhere.
TEST(Shift, TellsWhoSendsToWhom) {
  for (const auto nodes : {22u, 25u, 36u}) {
    auto scenario = scenario_on(nodes_on("switch", nodes), 3);
    std::get<Benchmark>(scenario.workload).sizes = {Bytes{100}};
    expect_same_recording(scenario);
  }
}

// All on one CPU, whose memory they share, or by turns on the nodes, whose links they share.
TEST(Shift, IsNotSoughtWhereImagesShare) {
  const auto platform = read_platform(KAKEHASHI_SOURCE_DIR "/platforms/fx10-tofu.json");
  ASSERT_TRUE(platform);
  auto scenario = scenario_on(std::make_shared<Platform>(*platform), 1);
  const std::vector<std::size_t> nodes(scenario.ranks.begin(), scenario.ranks.begin() + 8);
  std::get<Benchmark>(scenario.workload).sizes = {Bytes{1 << 20}};
  set_algorithm(scenario, algorithm_table()[index_of_algorithm(Collective::alltoall, "pairwise")]);
  const auto engine = [&] { return run_fluid(scenario, false)->engine; };
  scenario.ranks.assign(16, nodes.front());
  EXPECT_EQ(engine(), "fluid, tolerance 0 %");
  scenario.ranks = nodes;
  EXPECT_EQ(engine(), "fluid, tolerance 0 %, 4 ranks for 8 in step");
  scenario.ranks.insert(scenario.ranks.end(), nodes.begin(), nodes.end());
  EXPECT_EQ(engine(), "fluid, tolerance 0 %");
}

TEST(Shift, MirrorsWhatLooksTheSameFromBothEnds) {
  const auto platform = read_platform(KAKEHASHI_SOURCE_DIR "/platforms/fx10-tofu.json");
  ASSERT_TRUE(platform);
  auto scenario = scenario_on(std::make_shared<Platform>(*platform), 1);
  set_algorithm(scenario, algorithm_table()[index_of_algorithm(Collective::alltoall, "simple-spread")]);
  auto& benchmark = std::get<Benchmark>(scenario.workload);
  benchmark.sizes = {Bytes{1000}, Bytes{20000}};
  std::vector<std::size_t> nodes(scenario.ranks.begin(), scenario.ranks.begin() + 48); // 8 x 6
  scenario.ranks = nodes;
  expect_same(scenario, "12 ranks for 48"); // Y can be shifted, too
  scenario.ranks.clear();
  for (const auto node : nodes)
    scenario.ranks.insert(scenario.ranks.end(), 5, node);
  expect_same(scenario, "60 ranks for 240");
  scenario.ranks = {nodes[0], nodes[1], nodes[3], nodes[4], nodes[6], nodes[7]}; // no two thirds are alike
  expect_same(scenario, "3 ranks for 6");
  nodes.pop_back(); // an odd number of ranks, and no box
  scenario.ranks = nodes;
  const auto odd = run_fluid(scenario, false);
  ASSERT_TRUE(odd);
  EXPECT_EQ(odd->engine, "fluid, tolerance 0 %");
}

// Of such a job as Shifts finds it, however short it is: its ranks' ends, and who sent to whom.
void expect_same_as_whole(const Scenario& scenario, int standing) {
  const auto planned = plan(scenario);
  ASSERT_TRUE(planned);
  const auto make = [&] {
    return make_job(scenario.workload, make_place(*scenario.platform, scenario.ranks, scenario.mpi));
  };
  const auto shift = Shifts(*planned->ways, *planned->topology).find(make(), Seconds{1e9});
  ASSERT_TRUE(shift);
  EXPECT_EQ(shift->ranks, standing);
  const auto run_with = [&](const Job& job, const Shift* stands, Recording& recording) {
    recording.keep_path = true;
    recording.traffic.emplace(scenario.ranks.size());
    return run(job, stands, *planned, {EngineKind::fluid, 0}, &recording);
  };
  Recording all, some;
  const auto whole = run_with(make(), nullptr, all);
  const auto folded = run_with(make().alike->first(shift->ranks), shift.get(), some);
  ASSERT_TRUE(whole && folded);
  EXPECT_EQ(folded->end.messages, whole->end.messages);
  ASSERT_EQ(folded->end.finish.size(), whole->end.finish.size());
  for (std::size_t rank = 0; rank < whole->end.finish.size(); ++rank)
    EXPECT_NEAR(folded->end.finish[rank] / whole->end.finish[rank], 1, 1e-9) << rank;
  expect_alike(some, all, whole->end.duration);
}

TEST(Shift, LetsBlocksChangePlaces) {
  auto scenario = scenario_on(nodes_on("switch", 8), 2);
  auto& benchmark = std::get<Benchmark>(scenario.workload);
  for (const auto& [collective, algorithm] :
       {std::pair(Collective::allreduce, "recursive-doubling"), std::pair(Collective::allreduce, "rabenseifner"),
        std::pair(Collective::allgather, "recursive-doubling"),
        std::pair(Collective::reduce_scatter, "recursive-halving"),
        std::pair(Collective::alltoall, "pairwise-exclusive-or")}) {
    SCOPED_TRACE(fmt::format("{} {}", collective_names[static_cast<std::size_t>(collective)], algorithm));
    set_algorithm(scenario, algorithm_table()[index_of_algorithm(collective, algorithm)]);
    set_algorithm_of(scenario, Collective::barrier, "recursive-doubling");
    benchmark.sizes = {Bytes{32}, Bytes{32000}};
    expect_same_as_whole(scenario, 4);
  }
}

// The first ranks of the nodes double short vectors, and pass long ones round a ring.
TEST(Shift, IsSeenInTwoLevels) {
  auto scenario = scenario_on(nodes_on("switch", 8), 2);
  set_algorithm(scenario, algorithm_table()[index_of_algorithm(Collective::allreduce, "two-level")]);
  for (const auto& [size, barrier] : {std::pair(32u, "recursive-doubling"), std::pair(32000u, "dissemination")}) {
    set_algorithm_of(scenario, Collective::barrier, barrier);
    std::get<Benchmark>(scenario.workload).sizes = {Bytes{size}};
    expect_same_as_whole(scenario, 4);
  }
}

// An Alltoall of 64 ranks, which no longer wait for each other at the same time.
TEST(Noise, IsTheSameEachTimeAndLetsNoRankStandForOthers) {
  auto scenario = scenario_on(nodes_on("switch", 4), 8);
  std::get<Benchmark>(scenario.workload).sizes = {Bytes{4096}};
  EngineOptions options{EngineKind::fluid, 0};
  const auto without = run(scenario, nullptr, options);
  options.noise = 0.01;
  const auto with = run(scenario, nullptr, options);
  const auto again = run(scenario, nullptr, options);
  ASSERT_TRUE(without && with && again);
  EXPECT_EQ(with->engine, "fluid, tolerance 0 %, noise 1 %");
  EXPECT_EQ(with->duration, again->duration);
  EXPECT_NE(with->duration, without->duration);
  EXPECT_NEAR(with->duration / without->duration, 1, 0.5);
  EXPECT_EQ(with->messages, without->messages);
}

// What a rank computes takes its time; what it spends in calls, more or less.
TEST(Noise, LeavesComputationAlone) {
  const auto end_of = [](bool sends) {
    auto scenario = scenario_on(nodes_on("switch", 2), 1);
    scenario.ranks.resize(2);
    const Step work{Step::Kind::compute, {}, {}, 0, {}, microseconds(1000), 0};
    const Step send{Step::Kind::send, 1, {}, 0, Bytes{1 << 20}, {}, 0};
    const Step receive{Step::Kind::recv, {}, 0, 0, {}, {}, 0};
    scenario.workload = StepProgram{sends ? std::vector<std::vector<Step>>{{send}, {receive}}
                                          : std::vector<std::vector<Step>>{{work}, {}}};
    const auto time = [&](double noise) {
      const auto record = run(scenario, nullptr, {.kind = EngineKind::fluid, .tolerance = 0, .noise = noise});
      EXPECT_TRUE(record) << (record ? "" : to_text(record.errors().front()));
      return record ? in_microseconds(record->duration) : 0;
    };
    return std::pair(time(0), time(0.5));
  };
  EXPECT_EQ(end_of(false), std::pair(1000.0, 1000.0));
  EXPECT_NE(end_of(true).first, end_of(true).second);
}

// Messages from both sides come to a NIC at the same time.
TEST(Shift, MirrorsNothingWhereNicsTakeTurns) {
  auto platform = nodes_on("switch", 6);
  auto scenario = scenario_on(platform, 1);
  set_algorithm(scenario, algorithm_table()[index_of_algorithm(Collective::alltoall, "simple-spread")]);
  const auto with_turns = run_fluid(scenario, false);
  ASSERT_TRUE(with_turns);
  EXPECT_EQ(with_turns->engine, "fluid, tolerance 0 %");
  for (auto& device : platform->devices)
    device.message_rate = 0;
  expect_same(scenario, "2 ranks for 12");
}

TEST(Shift, IsNotSoughtWhereItMayNotBe) {
  const auto engine_of = [](const Scenario& scenario, Recording* recording = nullptr) {
    const auto record = run_fluid(scenario, false, recording);
    return record ? record->engine : to_text(record.errors().front());
  };
  const std::string alone = "fluid, tolerance 0 %";
  auto scenario = scenario_on(nodes_on("switch", 4), 1);
  EXPECT_EQ(engine_of(scenario), alone + ", 2 ranks for 8 in step");
  Recording recording;
  recording.timeline.emplace(); // which shows each rank
  EXPECT_EQ(engine_of(scenario, &recording), alone);

  auto bcast = scenario;
  std::get<Benchmark>(bcast.workload).name = "osu-bcast";
  EXPECT_EQ(engine_of(bcast), alone);

  auto by_turns = scenario; // by turns on the nodes
  std::swap(by_turns.ranks[0], by_turns.ranks[2]);
  EXPECT_EQ(engine_of(by_turns), alone);

  auto odd = *nodes_on("switch", 4);
  odd.links[2].bandwidth = gigabytes_per_second(1.1);
  auto uneven = scenario_on(std::make_shared<Platform>(odd), 1);
  EXPECT_EQ(engine_of(uneven), alone);

  odd = *nodes_on("switch", 4);
  odd.devices[2].message_rate = 1e6; // half of the others'
  uneven = scenario_on(std::make_shared<Platform>(odd), 1);
  EXPECT_EQ(engine_of(uneven), alone);

  auto imb = scenario; // whose barrier is another one
  std::get<Benchmark>(imb.workload).name = "imb-alltoall";
  imb.mpi.algorithms[static_cast<std::size_t>(Collective::barrier)] = {index_of_algorithm(Collective::barrier, "tree")};
  EXPECT_EQ(engine_of(imb), alone);
}

// Of ranks on both sockets of each node of a ring, and one repetition.
Scenario many_rounds(Collective collective, Bytes size, std::string_view algorithm = "ring", int ranks_each = 1) {
  auto scenario = scenario_on(nodes_on("ring", 225), ranks_each);
  set_algorithm(scenario, algorithm_table()[index_of_algorithm(collective, algorithm)]);
  auto& benchmark = std::get<Benchmark>(scenario.workload);
  benchmark.sizes = {size};
  benchmark.repetitions = 1;
  benchmark.warm_up = 0;
  return scenario;
}

// The run of all rounds and the one that leaves some out, which may differ by two parts in a thousand.
std::size_t left_out_of(const Scenario& scenario) {
  EngineOptions options{EngineKind::fluid};
  const auto some = run(scenario, nullptr, options);
  options.whole = true;
  const auto all = run(scenario, nullptr, options);
  EXPECT_EQ(all->rounds_left_out, 0u);
  EXPECT_EQ(some->messages, all->messages);
  EXPECT_NEAR(some->duration / all->duration, 1, 0.002);
  EXPECT_NEAR(some->table.figures.front().t_avg / all->table.figures.front().t_avg, 1, 0.002);
  return some->rounds_left_out;
}

std::pair<RunRecord, Recording> recorded(const Scenario& scenario, bool whole) {
  Recording recording;
  recording.keep_path = true;
  recording.traffic.emplace(scenario.ranks.size());
  EngineOptions options{EngineKind::fluid};
  options.whole = whole;
  auto record = run(scenario, &recording, options);
  return {std::move(*record), std::move(recording)};
}

std::map<Phase, PathTotal> totals_by_phase(const PathLog& log) {
  std::map<Phase, PathTotal> totals;
  for (const auto& [sort, total] : log.totals()) {
    totals[sort.phase].time += total.time;
    totals[sort.phase].steps += total.steps;
  }
  return totals;
}

// As often as stretches come in the order of the path.
double stretches_of(const PathLog& log) {
  double count = 0;
  for (const auto& group : log.groups())
    count += static_cast<double>(group.times * std::max<std::size_t>(1, group.stretches.size()));
  return count;
}

// So large a vector that each rank's block is, but for a byte of some of them, 1000 B.
TEST(Rounds, AreLeftOutOnceTheyHaveSettled) {
  for (const auto& [collective, size, left_out] :
       {std::tuple(Collective::allgather, 1000, 64u), std::tuple(Collective::reduce_scatter, 450000, 64u),
        std::tuple(Collective::allreduce, 450000, 128u), std::tuple(Collective::allreduce, 450200, 128u)}) {
    SCOPED_TRACE(fmt::format("{} of {} B", collective_names[static_cast<std::size_t>(collective)], size));
    EXPECT_EQ(left_out_of(many_rounds(collective, Bytes{static_cast<std::uint64_t>(size)})), left_out);
  }
}

TEST(Rounds, AreLeftOutSoonerWhereAnEarlierLoopTookAsLong) {
  auto scenario = many_rounds(Collective::allgather, Bytes{1000});
  std::get<Benchmark>(scenario.workload).repetitions = 2;
  EXPECT_EQ(left_out_of(scenario), 64u + 192u); // after five windows of 64, and after three
}

// Messages and bytes are those of all rounds; times differ as the run's does. Caches are so small that sums load the
// memories.
TEST(Rounds, ThatAreLeftOutAreRecordedAsThoseThatStandForThem) {
  for (const auto& [collective, algorithm, ranks_each, size] :
       {std::tuple(Collective::allgather, "ring", 1, 1000),
        std::tuple(Collective::allgather, "neighbour-exchange", 2, 1000),
        std::tuple(Collective::allreduce, "ring", 1, 450200)}) {
    SCOPED_TRACE(fmt::format("{} by {}", collective_names[static_cast<std::size_t>(collective)], algorithm));
    auto scenario = many_rounds(collective, Bytes{static_cast<std::uint64_t>(size)}, algorithm, ranks_each);
    auto platform = std::make_shared<Platform>(*scenario.platform);
    for (auto& device : platform->devices)
      device.memory = Memory{gigabytes_per_second(50), {}, {}, Bytes{256}, {}};
    scenario.platform = std::move(platform);
    const auto expect_bytes = [](double bytes, double of_all_rounds) { // whose blocks may differ by one
      EXPECT_NEAR(bytes, of_all_rounds, 1e-3 * of_all_rounds);
    };
    const auto [all, of_all] = recorded(scenario, true);
    const auto [some, of_some] = recorded(scenario, false);
    ASSERT_EQ(all.rounds_left_out, 0u);
    ASSERT_GE(some.rounds_left_out, 64u);
    EXPECT_EQ(some.duration, run(scenario, nullptr, {EngineKind::fluid})->duration);
    ASSERT_GE(of_some.channel_bytes.size(), of_all.channel_bytes.size());
    for (std::size_t channel = 0; channel < of_all.channel_bytes.size(); ++channel)
      expect_bytes(of_some.channel_bytes[channel], of_all.channel_bytes[channel]);
    const auto pairs = of_all.traffic->pairs();
    const auto found = of_some.traffic->pairs();
    ASSERT_EQ(found.size(), pairs.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      EXPECT_EQ(found[i].field.messages, pairs[i].field.messages);
      expect_bytes(found[i].field.bytes, pairs[i].field.bytes);
    }
    EXPECT_NEAR(of_some.path.log.time() / some.duration, 1, 1e-9);
    EXPECT_NEAR(std::ranges::max(of_some.ranks, {}, &RankTimes::total).total() / some.duration, 1, 1e-9);
    for (std::size_t rank = 0; rank < of_all.ranks.size(); ++rank) {
      EXPECT_NEAR(of_some.ranks[rank].overhead / of_all.ranks[rank].overhead, 1, 0.02);
      EXPECT_NEAR(of_some.ranks[rank].transfer / of_all.ranks[rank].transfer, 1, 0.02);
    }
    const auto kinds = totals_by_phase(of_all.path.log);
    for (const auto& [phase, total] : totals_by_phase(of_some.path.log)) {
      EXPECT_NEAR(total.time / some.duration, kinds.at(phase).time / all.duration, 0.01);
      if (total.time > 0.02 * some.duration)
        EXPECT_NEAR(static_cast<double>(total.steps) / static_cast<double>(kinds.at(phase).steps), 1, 0.03);
    }
    EXPECT_NEAR(stretches_of(of_some.path.log) / stretches_of(of_all.path.log), 1, 0.1);
  }
}

TEST(Rounds, AreNotLeftOutWhereBlocksDiffer) {
  const auto record = run(many_rounds(Collective::reduce_scatter, Bytes{4501}), nullptr, {EngineKind::fluid});
  ASSERT_TRUE(record);
  EXPECT_EQ(record->rounds_left_out, 0u);
}

TEST(Rounds, AreAllThereAtToleranceZero) {
  const auto record = run_fluid(many_rounds(Collective::allgather, Bytes{1000}), false);
  ASSERT_TRUE(record);
  EXPECT_EQ(record->rounds_left_out, 0u);
}

} // namespace
} // namespace kakehashi
