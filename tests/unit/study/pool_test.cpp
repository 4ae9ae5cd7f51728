#include "study/pool.hpp"

#include <csignal>
#include <gtest/gtest.h>
#include <stdexcept>
#include <unistd.h>

namespace kakehashi {
namespace {

using Numbers = std::vector<double>;

TEST(Pool, KeepsTheOrderOfTheTasks) {
  std::vector<Task<Numbers>> tasks;
  for (int i = 0; i < 20; ++i)
    tasks.push_back([i]() -> Result<Numbers> { return Numbers{0.1 * i, -1}; });
  for (const int jobs : {1, 3, 100}) {
    int told = 0;
    const auto results = run_in_children(tasks, jobs, [&] { ++told; });
    ASSERT_EQ(results.size(), 20u);
    EXPECT_EQ(told, 20);
    for (int i = 0; i < 20; ++i)
      EXPECT_EQ(*results[static_cast<std::size_t>(i)], (Numbers{0.1 * i, -1}));
  }
}

TEST(Pool, ACrashIsAnErrorOfItsTaskOnly) {
  const std::vector<Task<Numbers>> tasks{[]() -> Result<Numbers> { return Numbers{1}; },
                                         []() -> Result<Numbers> {
                                           std::raise(SIGKILL);
                                           return Numbers{};
                                         },
                                         []() -> Result<Numbers> { throw std::runtime_error("no luck"); },
                                         []() -> Result<Numbers> {
                                           return Error{ErrorKind::input, "f", "/p", "m", "s"};
                                         }};
  const auto results = run_in_children(tasks, 2);
  EXPECT_EQ(*results[0], Numbers{1});
  EXPECT_EQ(to_text(results[1].errors()[0]), "the simulation crashed (Killed)");
  EXPECT_EQ(to_text(results[2].errors()[0]), "no luck");
  EXPECT_EQ(to_text(results[3].errors()[0]), "f: /p: m (did you mean \"s\"?)");
  EXPECT_EQ(results[3].errors()[0].kind, ErrorKind::input);
}

TEST(Pool, PassesTextsAsTheyAre) {
  const std::string text("tab\tline\nback\\slash\0zero", 24);
  const std::vector<Task<std::string>> tasks{[&]() -> Result<std::string> { return text; },
                                             [&]() -> Result<std::string> {
                                               return Errors{{ErrorKind::usage, "", "", text, ""}, {}};
                                             }};
  const auto results = run_in_children(tasks, 1);
  EXPECT_EQ(*results[0], text);
  ASSERT_EQ(results[1].errors().size(), 2u);
  EXPECT_EQ(results[1].errors()[0].message, text);
  EXPECT_EQ(results[1].errors()[0].kind, ErrorKind::usage);
}

TEST(Pool, AChildWithoutAResultIsAnError) {
  const std::vector<Task<std::string>> tasks{[]() -> Result<std::string> { _exit(0); }};
  EXPECT_EQ(to_text(run_in_children(tasks, 1)[0].errors()[0]), "a child process ended without a result");
}

TEST(Pool, PassesLongResults) {
  const std::vector<Task<Numbers>> tasks{[]() -> Result<Numbers> { return Numbers(100000, 0.1); }};
  EXPECT_EQ(run_in_children(tasks, 1)[0]->size(), 100000u);
}

} // namespace
} // namespace kakehashi
