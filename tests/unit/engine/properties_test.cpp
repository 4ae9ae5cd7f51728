// What must be true of any machine and any program, on random ones.
#include "engine/mpi/results.hpp"
#include "engine/mpi/simulation.hpp"
#include "engine/random_scenario.hpp"
#include "study/run/scenario_run.hpp"
#include "transport/cost.hpp"
#include "workload/workload.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

template <class Property> void on_random_cases(Property holds) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    Dice dice(seed);
    holds(dice);
  }
}

constexpr EngineOptions exact{EngineKind::fluid, 0, 0};

std::vector<Seconds> ends_on(const Scenario& scenario, EngineKind kind) {
  const auto record = run(scenario, nullptr, {kind, 0, 0});
  EXPECT_TRUE(record) << to_text(record.errors().front());
  return record ? ends_of(*record) : std::vector<Seconds>{};
}

// One message from one device to another, alone.
Seconds lone(const Platform& platform, std::size_t from, std::size_t to, std::uint64_t size) {
  Step send;
  send.to = 1;
  send.size = Bytes{size};
  Step receive;
  receive.kind = Step::Kind::recv;
  receive.from = 0;
  const auto record = run(scenario_on(platform, {from, to}, {{{send}, {receive}}}), nullptr, exact);
  EXPECT_TRUE(record);
  return record ? record->duration : Seconds{};
}

struct LoneCase {
  RandomMachine machine;
  std::size_t from;
  std::size_t to;
};
LoneCase random_pair(Dice& dice) {
  auto machine = random_machine(dice);
  const auto one = [&] {
    return machine.computing[static_cast<std::size_t>(dice.below(static_cast<int>(machine.computing.size())))];
  };
  const auto from = one();
  const auto to = one();
  return {std::move(machine), from, to};
}

TEST(Properties, MoreBandwidthMakesNoMessageSlower) {
  on_random_cases([](Dice& dice) {
    auto [machine, from, to] = random_pair(dice);
    if (machine.platform.links.empty())
      return;
    const auto size = dice.size();
    const auto before = lone(machine.platform, from, to, size);
    auto faster = machine.platform;
    auto& link = faster.links[static_cast<std::size_t>(dice.below(static_cast<int>(faster.links.size())))];
    link.bandwidth =
        Capacity{dice.between(1.0, 8.0) * link.bandwidth->forward, dice.between(1.0, 8.0) * link.bandwidth->backward};
    EXPECT_LE(lone(faster, from, to, size).value, before.value * (1 + 1e-12));
    for (auto& regime : faster.fabrics[0].rules[0].regimes)
      if (regime.cap)
        regime.cap = 2 * *regime.cap;
    EXPECT_LE(lone(faster, from, to, size).value, before.value * (1 + 1e-12));
  });
}

TEST(Properties, TimeGrowsWithSizeInsideARegime) {
  on_random_cases([](Dice& dice) {
    const auto [machine, from, to] = random_pair(dice);
    for (const auto& regime : machine.platform.fabrics[0].rules[0].regimes) {
      Seconds before;
      std::vector<std::uint64_t> sizes;
      for (int i = 0; i < 6; ++i)
        sizes.push_back(regime.from.count +
                        dice.size() % (regime.to ? regime.to->count - regime.from.count : 1u << 20));
      std::sort(sizes.begin(), sizes.end());
      for (const auto size : sizes) {
        const auto time = lone(machine.platform, from, to, size);
        EXPECT_GE(time.value * (1 + 1e-12), before.value) << size;
        before = time;
      }
    }
  });
}

TEST(Properties, ALoneMessageTakesItsFormula) {
  on_random_cases([](Dice& dice) {
    const auto [machine, from, to] = random_pair(dice);
    const auto size = dice.size();
    const auto planned = plan(std::make_shared<Platform>(machine.platform), "net", {from, to});
    ASSERT_TRUE(planned);
    const auto way = planned->ways->find(0, 1);
    ASSERT_TRUE(way);
    const auto formula = lone_time((*planned->ways)[*way].stages[0], Bytes{size}, planned->topology->channels());
    const double rounded = 10 * fine_tick.value; // each of the message's steps, to a tick
    EXPECT_NEAR(lone(machine.platform, from, to, size).value, formula.value, rounded);
  });
}

TEST(Properties, NamesDoNotMatter) {
  on_random_cases([](Dice& dice) {
    auto scenario = random_scenario(dice);
    const auto before = ends_on(scenario, EngineKind::fluid);
    auto renamed = *scenario.platform;
    for (std::size_t i = 0; i < renamed.nodes.size(); ++i)
      renamed.nodes[i] = fmt::format("z{}", renamed.nodes.size() - i);
    for (std::size_t i = 0; i < renamed.devices.size(); ++i) {
      auto& device = renamed.devices[i];
      device.name =
          fmt::format("{}d{}", device.node ? renamed.nodes[*device.node] + "." : "", renamed.devices.size() - i);
    }
    for (std::size_t i = 0; i < renamed.links.size(); ++i)
      renamed.links[i].name = fmt::format("l{}", renamed.links.size() - i);
    renamed.fabrics[0].name = "other";
    scenario.platform = std::make_shared<Platform>(renamed);
    scenario.fabric = "other";
    EXPECT_EQ(ends_on(scenario, EngineKind::fluid), before);
  });
}

TEST(Properties, AnIdleDeviceChangesNothing) {
  on_random_cases([](Dice& dice) {
    auto scenario = random_scenario(dice);
    for (const auto kind : {EngineKind::fluid, EngineKind::simgrid}) {
      const auto before = ends_on(scenario, kind);
      auto larger = *scenario.platform;
      const auto idle = add_device(larger, "n0.idle", DeviceKind::coprocessor, 0);
      add_random_link(larger, dice, scenario.ranks[0], idle, "pcie");
      auto with_idle = scenario;
      with_idle.platform = std::make_shared<Platform>(larger);
      EXPECT_EQ(ends_on(with_idle, kind), before);
    }
  });
}

TEST(Properties, WhatIsSentIsReceivedOnce) {
  on_random_cases([](Dice& dice) {
    const auto scenario = random_scenario(dice);
    const auto& steps = std::get<StepProgram>(scenario.workload).steps;
    const auto ranks = scenario.ranks.size();
    std::vector<TrafficField> sent(ranks * ranks);
    std::size_t sends = 0;
    std::size_t receives = 0;
    std::size_t messages = 0; // that travel, unlike those of a rank to itself
    for (std::size_t rank = 0; rank < ranks; ++rank)
      for (const auto& step : steps[rank]) {
        receives += step.kind == Step::Kind::irecv;
        if (step.kind != Step::Kind::isend)
          continue;
        ++sends;
        if (static_cast<std::size_t>(*step.to) == rank)
          continue;
        ++messages;
        auto& field = sent[rank * ranks + static_cast<std::size_t>(*step.to)];
        field.bytes += static_cast<double>(step.size.count);
        ++field.messages;
      }
    ASSERT_EQ(sends, receives);
    Recording recording;
    recording.traffic.emplace(ranks);
    const auto record = run(scenario, &recording, exact);
    ASSERT_TRUE(record) << to_text(record.errors().front()); // a receive without a message would be a deadlock
    EXPECT_EQ(record->messages, messages);
    ASSERT_EQ(recording.traffic->blocks(), ranks);
    for (std::size_t from = 0; from < ranks; ++from)
      for (std::size_t to = 0; to < ranks; ++to) {
        EXPECT_EQ(recording.traffic->at(from, to).messages, sent[from * ranks + to].messages);
        EXPECT_EQ(recording.traffic->at(from, to).bytes, sent[from * ranks + to].bytes);
      }
  });
}

TEST(Properties, AReceiveTooManyIsADeadlock) {
  on_random_cases([](Dice& dice) {
    auto scenario = random_scenario(dice);
    auto& steps = std::get<StepProgram>(scenario.workload).steps;
    Step receive;
    receive.kind = Step::Kind::recv;
    steps[static_cast<std::size_t>(dice.below(static_cast<int>(steps.size())))].push_back(receive);
    EXPECT_FALSE(run(scenario, nullptr, exact));
  });
}

TEST(Properties, PartsOfTheTimeAddUp) {
  on_random_cases([](Dice& dice) {
    const auto scenario = random_scenario(dice);
    Recording recording;
    recording.keep_path = true;
    const auto record = run(scenario, &recording, exact);
    ASSERT_TRUE(record);
    const auto close = 1e-9 * record->duration.value;
    const auto ends = ends_of(*record);
    for (std::size_t rank = 0; rank < ends.size(); ++rank)
      EXPECT_NEAR(recording.ranks[rank].total().value, ends[rank].value, close);
    EXPECT_NEAR(recording.path.log.time().value, record->duration.value, close);
    Seconds shares;
    for (const auto& [sort, total] : recording.path.log.totals())
      shares += total.time;
    EXPECT_NEAR(shares.value, record->duration.value, close);
  });
}

TEST(Properties, BothEnginesAgree) {
  on_random_cases([](Dice& dice) {
    const auto scenario = random_scenario(dice);
    const auto fluid = ends_on(scenario, EngineKind::fluid);
    const auto simgrid = ends_on(scenario, EngineKind::simgrid);
    ASSERT_EQ(fluid.size(), simgrid.size());
    for (std::size_t rank = 0; rank < fluid.size(); ++rank)
      EXPECT_NEAR(fluid[rank].value, simgrid[rank].value, 1e-6 * simgrid[rank].value) << "rank " << rank;
  });
}

// One piece on one leg, which is what most messages are.
TEST(Properties, PlainMessagesTakeAsLongAsInAllSteps) {
  std::size_t shortened = 0, all = 0; // cases, some of which have messages of coprocessors only, which take turns
  on_random_cases([&](Dice& dice) {
    const auto scenario = random_scenario(dice);
    const auto planned = plan(scenario);
    ASSERT_TRUE(planned);
    const auto ranks = static_cast<int>(scenario.ranks.size());
    std::vector<std::vector<Seconds>> ends;
    std::vector<std::size_t> events;
    for (const bool shortens : {true, false}) {
      const auto network = make_fluid_network(planned->topology->channels(), 0);
      Simulation simulation({.network = *network, .ways = *planned->ways, .ranks = ranks, .shortens_plain = shortens});
      const auto job = make_job(scenario.workload, make_place(*scenario.platform, scenario.ranks, scenario.mpi));
      for (int rank = 0; rank < ranks; ++rank)
        simulation.set_program(rank, job.program(simulation.rank(rank)));
      const auto done = simulation.run();
      ASSERT_TRUE(done);
      ends.push_back(*done);
      events.push_back(simulation.events());
    }
    EXPECT_EQ(ends[0], ends[1]);
    EXPECT_LE(events[0], events[1]);
    shortened += events[0] < events[1] ? 1 : 0;
    ++all;
  });
  EXPECT_GT(shortened, all / 2);
}

TEST(Properties, RecordingChangesNothing) {
  on_random_cases([](Dice& dice) {
    const auto scenario = random_scenario(dice);
    Recording recording;
    recording.keep_path = true;
    recording.traffic.emplace(scenario.ranks.size());
    const auto record = run(scenario, &recording, exact);
    ASSERT_TRUE(record);
    EXPECT_EQ(ends_of(*record), ends_on(scenario, EngineKind::fluid));
  });
}

// On one adapter or on stripes over two, by cores inside nodes or not.
TEST(Properties, NoLinkCarriesMoreThanItCan) {
  on_random_cases([](Dice& dice) {
    auto scenario = random_scenario(dice);
    auto platform = *scenario.platform;
    if (dice.heads())
      add_second_rail(platform, dice);
    if (dice.heads())
      copy_inside_nodes(platform, dice);
    scenario.platform = std::make_shared<Platform>(platform);
    const auto planned = plan(scenario, exact);
    ASSERT_TRUE(planned);
    Recording recording;
    const auto record = run(scenario, *planned, &recording);
    ASSERT_TRUE(record) << to_text(record.errors().front());
    for (std::size_t channel = 0; channel < recording.channel_bytes.size(); ++channel) {
      const auto& known = planned->topology->channels()[channel];
      EXPECT_LE(recording.channel_bytes[channel], known.capacity.value * record->duration.value * (1 + 1e-6) + 1)
          << known.name;
    }
  });
}

} // namespace
} // namespace kakehashi
