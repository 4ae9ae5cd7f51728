#include "study/pool/pool.hpp"

#include <csignal>
#include <gtest/gtest.h>
#include <new>
#include <set>
#include <stdexcept>
#include <sys/resource.h>
#include <unistd.h>

namespace kakehashi {
namespace {

using Numbers = std::vector<double>;

TEST(Pool, KeepsTheOrderOfTheTasks) {
  std::vector<Task<Numbers>> tasks;
  for (int i = 0; i < 20; ++i)
    tasks.push_back([i]() -> Result<Numbers> { return Numbers{0.1 * i, -1}; });
  for (const int jobs : {1, 3, 100}) {
    std::size_t told = 0;
    const auto results = run_in_children(tasks, jobs, [&](std::size_t done, std::size_t) { told = done; });
    ASSERT_EQ(results.size(), 20u);
    EXPECT_EQ(told, 20u);
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

// Another time such a task may have a result; what it says itself it says again.
TEST(Pool, KnowsFaultsOfTheSystem) {
  const std::vector<Task<Numbers>> tasks{[]() -> Result<Numbers> {
                                           std::raise(SIGTERM);
                                           return Numbers{};
                                         },
                                         []() -> Result<Numbers> { throw std::bad_alloc(); },
                                         []() -> Result<Numbers> { throw std::runtime_error("no luck"); }};
  const auto results = run_in_children(tasks, 2);
  EXPECT_EQ(to_text(results[0].errors()[0]), "the simulation crashed (Terminated)");
  EXPECT_EQ(results[0].errors()[0].kind, ErrorKind::system);
  EXPECT_EQ(to_text(results[1].errors()[0]), "there is not enough memory");
  EXPECT_EQ(results[1].errors()[0].kind, ErrorKind::system);
  EXPECT_EQ(results[2].errors()[0].kind, ErrorKind::run);
}

TEST(Pool, EndsATaskThatTakesTooLongAndNoOther) {
  std::vector<Result<int>> results(3, Errors());
  stream_from_children<int>(
      3,
      [](std::size_t task) -> Result<int> {
        while (task == 1)
          pause();
        return static_cast<int>(task);
      },
      {.jobs = 2, .most_time = Seconds{2}},
      [&](std::size_t task, Result<int> result) { results[task] = std::move(result); });
  EXPECT_EQ(*results[0], 0);
  EXPECT_EQ(to_text(results[1].errors()[0]), "not done after 2 s, the time that each may take");
  EXPECT_EQ(results[1].errors()[0].kind, ErrorKind::system);
  EXPECT_EQ(*results[2], 2);
}

TEST(Pool, StopsWhenItIsToldTo) {
  std::size_t settled = 0;
  const auto sleep_on = [](std::size_t task) -> Result<int> {
    while (task > 0)
      pause();
    return 0;
  };
  stream_from_children<int>(100, sleep_on, {.jobs = 2, .goes_on = [&] { return settled == 0; }},
                            [&](std::size_t, const Result<int>&) { ++settled; });
  EXPECT_EQ(settled, 1u);
}

TEST(Pool, HasFewerChildrenWhereTheSystemHasNoRoom) {
  rlimit before{};
  getrlimit(RLIMIT_NOFILE, &before);
  const int next = dup(0);
  close(next);
  const rlimit few{static_cast<rlim_t>(next) + 4, before.rlim_max}; // for three pipes, while one is being made
  setrlimit(RLIMIT_NOFILE, &few);
  std::vector<Task<int>> tasks;
  for (int i = 0; i < 12; ++i)
    tasks.push_back([i]() -> Result<int> { return i; });
  const auto results = run_in_children(tasks, 12);
  setrlimit(RLIMIT_NOFILE, &before);
  for (int i = 0; i < 12; ++i) {
    ASSERT_TRUE(results[static_cast<std::size_t>(i)].ok());
    EXPECT_EQ(*results[static_cast<std::size_t>(i)], i);
  }
}

TEST(Pool, OneChildDoesManyShortTasksAndTakesNoneWithIt) {
  std::vector<Task<int>> tasks;
  for (int i = 0; i < 500; ++i)
    tasks.push_back([i]() -> Result<int> {
      if (i == 101 || i == 102)
        std::raise(SIGKILL);
      return getpid();
    });
  const auto results = run_in_children(tasks, 2);
  std::set<int> children;
  for (std::size_t i = 0; i < results.size(); ++i) {
    ASSERT_EQ(results[i].ok(), i != 101 && i != 102) << i;
    if (results[i])
      children.insert(*results[i]);
  }
  EXPECT_LT(children.size(), 100u);
}

TEST(Pool, PassesLongResults) {
  const std::vector<Task<Numbers>> tasks{[]() -> Result<Numbers> { return Numbers(100000, 0.1); }};
  EXPECT_EQ(run_in_children(tasks, 1)[0]->size(), 100000u);
}

} // namespace
} // namespace kakehashi
