#include "input/trace/goal/goal_reader.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace kakehashi {
namespace {

using Kind = ScheduledOperation::Kind;

std::string little(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i)
    text += static_cast<char>(value >> 8 * i & 0xff);
  return text;
}

struct BinaryOperation {
  std::uint64_t kind, peer, size, tag, cpu;
  std::vector<std::uint64_t> after_end, after_start; // that wait for it
};

std::string binary_part_of(const std::vector<BinaryOperation>& operations, int more) {
  std::string text, indices;
  std::size_t count = 0;
  const auto list = [&](const std::vector<std::uint64_t>& waiting) {
    text += little(waiting.size(), 4) + little(count, 4);
    count += waiting.size();
    for (const auto index : waiting)
      indices += little(index, 4);
  };
  for (const auto& [kind, peer, size, tag, cpu, after_end, after_start] : operations) {
    text += little(0, 4) + little(kind, 1) + little(peer, 4) + little(size, 8) + little(tag, 4) + little(cpu, 2);
    list(after_end);
    list(after_start);
    text += std::string(static_cast<std::size_t>(more), '\0');
  }
  return little(operations.size(), 4) + little(1, 4) + little(0, 4) + text + indices;
}

// more: bytes behind each operation.
std::string binary_file_of(const std::vector<std::vector<BinaryOperation>>& ranks, int more = 0) {
  std::string table, parts;
  for (const auto& operations : ranks) {
    const auto begin = 6 + 16 * ranks.size() + parts.size();
    parts += binary_part_of(operations, more);
    table += little(begin, 8) + little(6 + 16 * ranks.size() + parts.size(), 8);
  }
  return little(4223, 8) + little(ranks.size(), 4) + little(0, 2) + table + parts;
}

const std::vector<std::vector<BinaryOperation>> two_binary{
    {{3, 0, 1500, 0, 1, {1}, {}}, {1, 1, 10, 3, 0, {}, {2}}, {2, 0xffffffff, 20, 0xffffffff, 0, {}, {}}},
    {{2, 0, 10, 3, 0, {}, {}}}};

std::string fault_of_binary(const std::string& bytes, int ranks = 2) {
  const auto schedule = parse_binary_goal(bytes, "x.bin", ranks);
  return schedule ? "" : to_text(schedule.errors().front());
}

TEST(BinaryGoal, ReadsAllThreeForms) {
  for (const int more : {0, 17, 65}) {
    const auto bytes = binary_file_of(two_binary, more);
    EXPECT_TRUE(is_binary_goal(bytes));
    const auto schedule = parse_binary_goal(bytes, "x.bin", 2);
    ASSERT_TRUE(schedule) << more << " " << to_text(schedule.errors().front());
    const auto& operations = schedule->ranks[0].operations;
    const auto& dependencies = schedule->ranks[0].dependencies;
    ASSERT_EQ(operations.size(), 3u);
    EXPECT_EQ(operations[0].kind, Kind::work);
    EXPECT_DOUBLE_EQ(operations[0].time.value, 1.5e-6);
    EXPECT_EQ(operations[0].cpu, 1);
    EXPECT_EQ(operations[1].kind, Kind::send);
    EXPECT_EQ(operations[1].peer, 1);
    EXPECT_EQ(operations[1].size, Bytes{10});
    EXPECT_EQ(operations[1].tag, 3);
    EXPECT_EQ(operations[2].peer, std::nullopt);
    EXPECT_EQ(operations[2].tag, std::nullopt);
    EXPECT_EQ(operations[2].line, 3u);
    ASSERT_EQ(dependencies.size(), 2u);
    EXPECT_FALSE(dependencies[0].on_start);
    EXPECT_EQ(dependencies[1].before, 1u);
    EXPECT_EQ(dependencies[1].after, 2u);
    EXPECT_TRUE(dependencies[1].on_start);
  }
}

TEST(BinaryGoal, IsNoText) {
  EXPECT_FALSE(is_binary_goal("num_ranks 2\n"));
  EXPECT_FALSE(is_binary_goal("\x7f\x10"));
}

TEST(BinaryGoal, TellsFaultsWithTheirOperation) {
  const auto changed = [](std::size_t rank, std::size_t index, BinaryOperation operation) {
    auto ranks = two_binary;
    ranks[rank][index] = std::move(operation);
    return fault_of_binary(binary_file_of(ranks));
  };
  EXPECT_EQ(changed(0, 1, {9, 0, 0, 0, 0, {}, {}}),
            "x.bin: rank 0, operation 2: got an operation of kind 9, which is not modelled; expected a send, recv, "
            "calc, put, append, tput, tappend or test");
  EXPECT_EQ(changed(1, 0, {2, 2, 0, 0, 0, {}, {}}),
            "x.bin: rank 1, operation 1: got rank 2, expected a rank from 0 to 1");
  EXPECT_EQ(changed(0, 1, {1, 0xffffffff, 0, 0, 0, {}, {}}),
            "x.bin: rank 0, operation 2: got rank 4294967295, expected a rank from 0 to 1");
  EXPECT_EQ(changed(0, 1, {1, 1, 0, 0xffffffff, 0, {}, {}}),
            "x.bin: rank 0, operation 2: got tag 4294967295, expected a smaller number");
  EXPECT_EQ(changed(0, 1, {1, 1, std::uint64_t{1} << 51, 0, 0, {}, {}}),
            "x.bin: rank 0, operation 2: got 2251799813685248 B, expected at most 1 PiB");
  EXPECT_EQ(changed(1, 0, {3, 0, 1, 0, 0, {0}, {}}),
            "x.bin: rank 1, operation 1: a circle: an operation (operation 1) waits for an operation (operation 1)");
  EXPECT_EQ(changed(1, 0, {3, 0, 1, 0, 0, {7}, {}}),
            "x.bin: rank 1, operation 1: operation 8 waits for it, but there are 1");
}

TEST(BinaryGoal, TellsDamage) {
  const auto bytes = binary_file_of(two_binary);
  EXPECT_EQ(fault_of_binary(bytes, 3), "x.bin: got 2 ranks, expected 3, as in the scenario");
  EXPECT_EQ(fault_of_binary(little(2342, 8) + bytes.substr(8)),
            "x.bin: a binary schedule that a run of LogGOPSim with --save-mem has used up");
  EXPECT_EQ(fault_of_binary(bytes.substr(0, bytes.size() - 1)),
            "x.bin: rank 1: got a part from byte 175 to 226, expected one between 175 and 225");
  EXPECT_EQ(fault_of_binary(binary_file_of(two_binary, 1)),
            "x.bin: the parts of its ranks are as long as in no form of LogGOPSim's or LogGOPSim2's");
  for (std::size_t length = 8; length < bytes.size(); ++length)
    EXPECT_NE(fault_of_binary(bytes.substr(0, length)), "") << length;
}

} // namespace
} // namespace kakehashi
