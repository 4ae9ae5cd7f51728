#include "study/run/run_parts.hpp"

#include "input/scenario/scenario_reader.hpp"
#include "study/run/scenario_run.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

namespace kakehashi {
namespace {

RowRun row_of(std::size_t row) {
  RowRun run;
  run.timing.size = Bytes{row};
  run.timing.average = {Seconds{0.1 * static_cast<double>(row)}};
  run.messages = row;
  run.used.sources = {{"/fabrics/ib", {SourceKind::spec, "a data sheet"}}};
  return run;
}

TEST(Rows, ComeInTheirOrderWhereverTheyRun) {
  const RunRow run = [](std::size_t row, const RunWatch*) {
    usleep(row == 1 ? 30000 : 0); // others wait for it
    return Result(row_of(row));
  };
  for (const int jobs : {0, 1, 2, 5}) {
    std::vector<std::uint64_t> sizes;
    const TakeRow take = [&](RowRun row) {
      sizes.push_back(row.timing.size.count);
      EXPECT_EQ(row.timing.average.front(), Seconds{0.1 * static_cast<double>(row.messages)});
      EXPECT_EQ(row.used.sources.front().source, (Source{SourceKind::spec, "a data sheet"}));
    };
    const auto errors = jobs == 0 ? run_here(6, run, take, nullptr) : run_in_children(6, jobs, run, take, nullptr);
    EXPECT_TRUE(errors.empty());
    EXPECT_EQ(sizes, (std::vector<std::uint64_t>{0, 1, 2, 3, 4, 5}));
  }
}

TEST(Rows, EndWithTheFirstThatFails) {
  const RunRow run = [](std::size_t row, const RunWatch*) {
    return row == 2 ? Result<RowRun>(run_error("no way")) : Result(row_of(row));
  };
  for (const int jobs : {0, 1}) {
    std::size_t taken = 0;
    const TakeRow take = [&](const RowRun&) { ++taken; };
    const auto errors = jobs == 0 ? run_here(6, run, take, nullptr) : run_in_children(6, jobs, run, take, nullptr);
    ASSERT_EQ(errors.size(), 1u);
    EXPECT_EQ(to_text(errors.front()), "no way");
    EXPECT_EQ(taken, 2u);
  }
}

// The last rows are begun before the first one has ended.
TEST(Rows, ThatAreFinishedAreShownAfterAnInterrupt) {
  const RunRow run = [](std::size_t row, const RunWatch*) {
    if (row == 1)
      sleep(60);
    return Result(row_of(row));
  };
  std::vector<std::uint64_t> sizes;
  const RunWatch watch{[](const JobProgress& progress, std::size_t) { return progress.rows_done < 3; }};
  const auto errors = run_in_children(
      4, 2, run, [&](const RowRun& row) { sizes.push_back(row.timing.size.count); }, &watch);
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors.front().kind, ErrorKind::interrupt);
  EXPECT_EQ(sizes, (std::vector<std::uint64_t>{0, 2, 3}));
}

// Each begins anew, so it is the same alone, behind others, and in a process of its own.
TEST(Rows, DoNotDependOnThoseBefore) {
  const std::string folder = KAKEHASHI_SOURCE_DIR "/scenarios/";
  auto scenario = *read_scenario(folder + "fx10-tofu/allgather-new.json");
  scenario.ranks.resize(256); // enough for processes of their own
  auto& benchmark = std::get<Benchmark>(scenario.workload);
  benchmark.sizes = {Bytes{64}, Bytes{2048}, Bytes{32768}};
  const auto all = run(scenario);
  const auto in_children = run(scenario, *plan(scenario), nullptr, nullptr, 3);
  ASSERT_TRUE(all && in_children);
  ASSERT_EQ(all->table.figures.size(), 3u);
  EXPECT_EQ(all->table.rows, in_children->table.rows);
  EXPECT_EQ(all->messages, in_children->messages);
  std::size_t messages = 0;
  for (std::size_t row = 0; row < 3; ++row) {
    auto one = scenario;
    std::get<Benchmark>(one.workload).sizes = {benchmark.sizes[row]};
    const auto alone = run(one);
    EXPECT_EQ(alone->table.rows.front(), all->table.rows[row]);
    messages += alone->messages;
  }
  EXPECT_EQ(messages, all->messages);
}

} // namespace
} // namespace kakehashi
