#include "input/platform/own_algorithm_reader.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>

namespace kakehashi {
namespace {

class OwnAlgorithmReader : public testing::Test {
protected:
  // The first fault of an algorithm for this many ranks, without its file; empty: there is none.
  std::string fault(const std::string& text, int ranks = 4, std::optional<int> per_node = 1) {
    const auto file = (std::filesystem::path(testing::TempDir()) / "own.json").string();
    std::ofstream(file) << text;
    const auto own = read_own_algorithm(file);
    if (!own)
      return to_text(own.errors().front()).substr(file.size() + 2);
    const auto schedule = (*own)->schedule(ranks, per_node);
    return schedule ? "" : to_text(schedule.errors().front()).substr(file.size() + 2);
  }
  static std::string with(const std::string& operation, const std::string& messages, const std::string& steps = "1") {
    return fmt::format(R"j({{"operation": "{}", "phases": [{{"steps": {}, "messages": [{}]}}]}})j", operation, steps,
                       messages);
  }
};

TEST_F(OwnAlgorithmReader, AcceptsWhatEndsWhereItShould) {
  EXPECT_EQ(fault(with("bcast", R"j({"from": 0, "to": 1}, {"from": 0, "to": 2}, {"from": 0, "to": 3})j")), "");
  EXPECT_EQ(fault(with("allgather", R"j({"to": "(rank + step + 1) % size", "first": "rank"})j", "\"size - 1\"")), "");
  EXPECT_EQ(fault(with("alltoall", R"j({"to": "(rank + step + 1) % size",
                                       "first": "rank * size + (rank + step + 1) % size"})j",
                       "\"size - 1\"")),
            "");
  EXPECT_EQ(fault(with("gather", R"j({"if": "rank > 0", "to": 0, "first": "rank"})j")), "");
  EXPECT_EQ(fault(with("reduce-scatter", R"j({"to": "(rank + step + 1) % size", "first": "(rank + step + 1) % size",
                                             "adds": true})j",
                       "\"size - 1\"")),
            "");
}

TEST_F(OwnAlgorithmReader, StatesWhichRankLacksWhichBlock) {
  EXPECT_EQ(fault(with("bcast", R"j({"from": 0, "to": 1}, {"from": 0, "to": 2})j")),
            "for 4 ranks, rank 3 has nothing of block 0 after the last of 1 steps, expected the part of rank 0");
  EXPECT_EQ(fault(with("bcast", R"j({"from": 2, "to": 1})j")),
            "for 4 ranks, rank 2 has nothing of block 0, which it sends to rank 1 in step 0");
  EXPECT_EQ(fault(with("allreduce", R"j({"to": "rank ^ 1", "adds": true})j")),
            "for 4 ranks, rank 0 has the part of ranks 0 to 1 of block 0 after the last of 1 steps, expected the part "
            "of ranks 0 to 3");
  EXPECT_EQ(fault(with("allreduce", R"j({"to": "rank ^ 1", "adds": true})j", "2")),
            "for 4 ranks, rank 1 adds block 0 of rank 0 in step 1, and so the part of rank 0 twice");
  EXPECT_EQ(fault(with("allreduce", R"j({"to": "(rank + 1) % size"})j")),
            "for 4 ranks, rank 0 has the part of rank 3 of block 0 after the last of 1 steps, expected the part of "
            "ranks 0 to 3");
}

TEST_F(OwnAlgorithmReader, RefusesFormulasWithoutAValue) {
  EXPECT_EQ(fault(with("bcast", R"j({"to": "rank +"})j")),
            "/phases/0/messages/0/to: got an end after \"rank +\", expected a number, a variable or \"(\"");
  EXPECT_EQ(fault(with("bcast", R"j({"to": "rnak"})j")),
            "/phases/0/messages/0/to: got \"rnak\", expected rank, size, step, per_node, blocks, or "
            "log2(x), min(x, y), max(x, y)");
  EXPECT_EQ(fault(with("bcast", R"j({"to": "rank / (step - step)"})j")),
            "/phases/0/messages/0/to: has no value for rank 0 of 4 in step 0: it divides by zero, or a number is too "
            "large");
  EXPECT_EQ(fault(with("bcast", R"j({"to": "size"})j")),
            "/phases/0/messages/0/to: is 4 for rank 0 of 4 in step 0, expected 0 to 3");
  EXPECT_EQ(fault(with("bcast", R"j({"to": 0})j")), "/phases/0/messages/0/to: is rank 0 of 4 in step 0 itself");
  EXPECT_EQ(fault(with("bcast", R"j({"to": "rank ^ per_node"})j"), 4, std::nullopt),
            "/phases/0/messages/0/to: \"per_node\" has no value: nodes have different numbers of ranks, or these are "
            "not node by node");
}

TEST_F(OwnAlgorithmReader, RefusesWhatFilesCannotHave) {
  EXPECT_EQ(fault(with("barrier", R"j({"to": 0})j")),
            "/operation: got \"barrier\", expected one of bcast, reduce, allreduce, gather, scatter, allgather, "
            "allgatherv, alltoall, reduce-scatter");
  EXPECT_EQ(fault(with("bcast", R"j({"to": 0, "adds": true})j")),
            "/phases/0/messages/0/adds: nothing is added in bcast");
  EXPECT_EQ(fault(R"j({"operation": "allgather", "blocks": 3, "phases": [{"messages": []}]})j"),
            "/blocks: there is a block for each rank in this operation; leave it out");
}

TEST_F(OwnAlgorithmReader, RefusesVariablesWithoutAValue) {
  EXPECT_EQ(fault(R"j({"operation": "bcast", "ranks": "per_node > 1", "phases": [{"messages": []}]})j"),
            "/ranks: \"per_node\" has no value here");
  EXPECT_EQ(fault(R"j({"operation": "bcast", "blocks": "rank + 1", "phases": [{"messages": []}]})j"),
            "/blocks: \"rank\" has no value here");
}

TEST_F(OwnAlgorithmReader, EndsWithoutHugeWork) {
  EXPECT_EQ(fault(with("bcast", R"j({"to": 0})j", "1000000000")),
            "/phases/0/steps: is 1000000000 for rank 0 of 4 in step 0, expected 0 to 1048576");
  EXPECT_EQ(fault(R"j({"operation": "bcast", "blocks": 67108864, "phases": [{"messages": []}]})j"),
            "for 4 ranks, there are more than 2097152 blocks to follow; only fewer ranks or blocks can be checked");
  EXPECT_EQ(fault(with("allreduce", R"j({"if": "rank < 0", "to": 0})j", "1000000"), 1000),
            "has too many steps and rules for 1000 ranks");
}

TEST(Expression, HasTheValueThatItReads) {
  const auto value = [](std::string_view text) {
    const auto parsed = Expression::parse(text);
    return parsed ? parsed->value({5, 8, 2, 4, 8}) : std::nullopt;
  };
  EXPECT_EQ(value("rank + 2 * step"), 9);
  EXPECT_EQ(value("(rank - 7) % size"), 6);
  EXPECT_EQ(value("(rank - 7) / 4"), -1);
  EXPECT_EQ(value("10 - 3 - 2"), 5);
  EXPECT_EQ(value("rank ^ 1 << step"), 1);
  EXPECT_EQ(value("rank & 4 == 4 ? 1 : 2"), 1);
  EXPECT_EQ(value("rank < 5 || size > 7 && !0"), 1);
  EXPECT_EQ(value("0 && 1 / 0"), 0);
  EXPECT_EQ(value("log2(size) + min(rank, 3) + max(-1, 0)"), 6);
  EXPECT_EQ(value("1 / 0"), std::nullopt);
  EXPECT_EQ(value("log2(0)"), std::nullopt);
  EXPECT_EQ(value("1 << 63"), std::nullopt);
  EXPECT_EQ(value("288230376151711743 * 288230376151711743"), std::nullopt);
  EXPECT_EQ(value("rank size"), std::nullopt);
  EXPECT_EQ(value(std::string(400, '(') + "1" + std::string(400, ')')), std::nullopt);
}

} // namespace
} // namespace kakehashi
