#include "base/text.hpp"
#include "report/report_parts.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

// Two nodes of two sockets, whose devices are 0 to 3, and a host that is no node.
SweepRecord best_on(std::vector<std::size_t> devices) {
  auto platform = std::make_shared<Platform>();
  platform->nodes = {"n0", "n1"};
  for (const auto* name : {"n0.a", "n0.b", "n1.a", "n1.b", "lone"}) {
    Device device;
    device.name = name;
    device.kind = DeviceKind::cpu;
    if (name[0] == 'n')
      device.node = name[1] == '0' ? 0 : 1;
    platform->devices.push_back(device);
  }
  SweepRecord record;
  record.platform = platform;
  record.has_placement = true;
  record.points.push_back({0, std::move(devices), false, {}});
  return record;
}

std::vector<std::string> lines_of(const SweepRecord& record) {
  ReportParts parts;
  add_launch_lines(record, parts);
  std::vector<std::string> lines;
  for (const auto& part : parts)
    lines.push_back(std::get<Note>(part).text);
  return lines;
}

const std::string heading =
    "to start the best, with the files that --rankfile ranks.txt and --hostfile hosts.txt write:";

TEST(LaunchLines, NameTheSocketsThatAllNodesHaveInTurn) {
  EXPECT_EQ(lines_of(best_on({1, 3, 0, 2})),
            (std::vector<std::string>{heading, "mpirun -n 4 --rankfile ranks.txt PROGRAM",
                                      "SLURM_HOSTFILE=hosts.txt srun -n 4 -N 2 --distribution=arbitrary "
                                      "--cpu-bind=map_ldom:1,0 PROGRAM"}));
}

// The third rank of n0 has no counterpart on n1.
TEST(LaunchLines, NameTheSocketsOfTheNodeWithMostRanks) {
  EXPECT_EQ(lines_of(best_on({1, 0, 1, 3, 2}))[2],
            "SLURM_HOSTFILE=hosts.txt srun -n 5 -N 2 --distribution=arbitrary --cpu-bind=map_ldom:1,0,1 PROGRAM");
}

TEST(LaunchLines, SayThatSrunCannotTurnTheSocketsOfOneNodeAlone) {
  EXPECT_EQ(lines_of(best_on({0, 1, 3, 2}))[2],
            "srun cannot: --cpu-bind=map_ldom has one order of sockets for all nodes, and here it differs from node to "
            "node");
  EXPECT_EQ(lines_of(best_on(std::vector<std::size_t>(101, 0)))[2],
            "srun cannot in one line: --cpu-bind=map_ldom would list 101 sockets");
}

TEST(LaunchLines, BindNothingOnHostsWithoutSockets) {
  EXPECT_EQ(lines_of(best_on({4, 4}))[2], "SLURM_HOSTFILE=hosts.txt srun -n 2 -N 1 --distribution=arbitrary PROGRAM");
}

TEST(LaunchLines, QuoteTheNamesOfTheirFiles) {
  auto record = best_on({0, 2});
  record.files = {"my ranks", "it's"};
  EXPECT_EQ(lines_of(record),
            (std::vector<std::string>{
                "to start the best, with the files that --rankfile 'my ranks' and --hostfile 'it'\\''s' write:",
                "mpirun -n 2 --rankfile 'my ranks' PROGRAM",
                "SLURM_HOSTFILE='it'\\''s' srun -n 2 -N 2 --distribution=arbitrary --cpu-bind=map_ldom:0 PROGRAM"}));
}

} // namespace
} // namespace kakehashi
