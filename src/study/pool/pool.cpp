#include "study/pool/pool.hpp"

#include "base/child.hpp"
#include "base/memory.hpp"
#include "engine/flow/network.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <deque>
#include <fmt/format.h>
#include <new>
#include <poll.h>
#include <utility>

namespace kakehashi {
namespace {

// How results pass through the pipe: as text or errors. Errors of the pool itself are the system's, since the task may
// succeed another time.
struct SentResult {
  std::optional<std::string> text;
  Errors errors;
  static constexpr auto fields(auto& self) {
    auto& [text, errors] = self;
    return std::tie(text, errors);
  }
};

std::string as_sent(const Result<std::string>& result) {
  return encode(result ? SentResult{*result, {}} : SentResult{std::nullopt, result.errors()});
}

Result<std::string> as_received(const std::string& received) {
  if (received.empty())
    return system_error("a child process ended without a result");
  auto sent = decode<SentResult>(received);
  if (!sent || sent->text.has_value() != sent->errors.empty())
    return wrong_form();
  return sent->text ? Result(std::move(*sent->text)) : std::move(sent->errors);
}

// A result that a process of a team sends to the others.
struct SharedResult {
  std::size_t task = 0;
  std::string sent;
  static constexpr auto fields(auto& self) {
    auto& [task, sent] = self;
    return std::tie(task, sent);
  }
};

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point then) {
  return std::chrono::duration<double>(Clock::now() - then).count();
}

// A child, with what it has yet to do, in turn. Each result follows its length in the pipe.
struct Worker {
  Child child;
  std::deque<std::size_t> tasks;
  bool is_in_front = false;
  std::string received{};
  bool has_news = false; // its pipe has something to read
  bool is_late = false;  // its first task exceeded its time, and it was ended
  Clock::time_point began = Clock::now();
};

std::optional<std::string> take_result(std::string& received) {
  std::uint64_t length = 0;
  if (received.size() < sizeof length)
    return std::nullopt;
  std::memcpy(&length, received.data(), sizeof length);
  if (received.size() - sizeof length < length)
    return std::nullopt;
  auto result = received.substr(sizeof length, length);
  received.erase(0, sizeof length + length);
  return result;
}

// Waits for news of a worker, but not long; false if there was none.
bool wait_for(std::vector<Worker>& workers) {
  constexpr int while_ms = 200;
  std::vector<pollfd> waits;
  for (const auto& worker : workers)
    waits.push_back({worker.child.pipe, POLLIN, 0});
  if (poll(waits.data(), waits.size(), while_ms) <= 0)
    return false;
  for (std::size_t i = 0; i < workers.size(); ++i)
    workers[i].has_news = waits[i].revents != 0;
  return true;
}

std::string done_in_child(const NumberedTask<std::string>& task, std::size_t index) {
  try {
    return as_sent(task(index));
  } catch (const std::bad_alloc&) {
    return as_sent(system_error("there is not enough memory"));
  } catch (const std::exception& problem) {
    return as_sent(run_error(problem.what()));
  }
}

Result<Child> start(const NumberedTask<std::string>& task, const std::deque<std::size_t>& tasks, int at_once) {
  return start_child([&](const Send& send) {
    share_memory(at_once);
    for (const auto index : tasks) {
      const auto result = done_in_child(task, index);
      const std::uint64_t length = result.size();
      send(std::string(reinterpret_cast<const char*>(&length), sizeof length) + result);
    }
  });
}

void end_all(const std::vector<Worker>& workers) {
  for (const auto& worker : workers)
    kill(worker.child.process, SIGKILL);
  for (const auto& worker : workers)
    end_child(worker.child);
}

void end_late(std::vector<Worker>& workers, Seconds most_time) {
  for (auto& worker : workers)
    if (!worker.is_late && Seconds{seconds_since(worker.began)} > most_time) {
      worker.is_late = true;
      kill(worker.child.process, SIGKILL);
    }
}

// Why a child ended before its first task did.
Error end_of(const Worker& worker, const PoolOptions& options) {
  const auto crash = end_child(worker.child);
  if (worker.is_late)
    return system_error(fmt::format("not done after {:g} s, the time that each may take", options.most_time->value));
  return system_error(crash ? fmt::format("the simulation crashed ({})", *crash)
                            : "a child process ended without a result");
}

// The tasks that no child has yet, and how many of them the next one gets: one, or as many as take a quarter of a
// second where they are short, since a child costs milliseconds to begin, the more the larger its parent.
class Queue {
public:
  Queue(std::size_t tasks, const PoolOptions& options) : options_(options), end_(tasks) {}

  bool empty() const { return again_.empty() && next_ == end_; }
  void give_back(const std::deque<std::size_t>& tasks) { again_.insert(again_.end(), tasks.begin(), tasks.end()); }
  void took(double seconds) { usual_ += (usual_ == 0 ? 1.0 : 0.125) * (seconds - usual_); }

  std::deque<std::size_t> take(bool from_end) {
    if (!again_.empty())
      return std::exchange(again_, {});
    if (from_end)
      return {--end_};
    constexpr double child = 0.25; // s
    constexpr std::size_t most = 64;
    const auto left = end_ - next_;
    const auto share = left / (2 * static_cast<std::size_t>(std::max(1, options_.jobs)));
    const auto short_ones = usual_ > 0 ? static_cast<std::size_t>(child / usual_) : 1;
    const auto count = options_.from_both_ends ? 1 : std::max<std::size_t>(1, std::min({short_ones, share, most}));
    std::deque<std::size_t> tasks;
    while (tasks.size() < count)
      tasks.push_back(next_++);
    return tasks;
  }

private:
  const PoolOptions& options_;
  std::deque<std::size_t> again_; // those behind one with which a child died
  std::size_t next_ = 0;
  std::size_t end_;  // tasks from here on were taken from the end
  double usual_ = 0; // s that a task takes
};

void stream_own(std::size_t tasks, const NumberedTask<std::string>& task, const PoolOptions& options,
                const Settled<std::string>& settled) {
  load_simgrid(); // once for all children
  std::vector<Worker> workers;
  Queue queue(tasks, options);
  const auto take_results = [&](Worker& worker) {
    while (const auto result = take_result(worker.received)) {
      queue.took(seconds_since(std::exchange(worker.began, Clock::now())));
      const auto index = worker.tasks.front();
      worker.tasks.pop_front();
      settled(index, as_received(*result));
    }
  };
  while (!queue.empty() || !workers.empty()) {
    if (options.goes_on && !options.goes_on())
      return end_all(workers);
    while (!queue.empty() && workers.size() < static_cast<std::size_t>(std::max(1, options.jobs))) {
      const bool is_in_front = !options.from_both_ends || std::ranges::none_of(workers, &Worker::is_in_front);
      auto some = queue.take(!is_in_front);
      if (const auto child = start(task, some, options.jobs)) {
        workers.push_back({*child, std::move(some), is_in_front});
      } else if (!workers.empty()) {
        queue.give_back(some); // the system has no room now, but will have once a worker ends
        break;
      } else {
        for (const auto index : some)
          settled(index, child.errors());
      }
    }
    if (options.most_time)
      end_late(workers, *options.most_time);
    if (!wait_for(workers))
      continue;
    for (std::size_t i = workers.size(); i-- > 0;) {
      auto& worker = workers[i];
      const bool has_ended = worker.has_news && !receive(worker.child, worker.received);
      take_results(worker);
      if (!has_ended)
        continue;
      const auto end = end_of(worker, options);
      if (!worker.tasks.empty()) {
        settled(worker.tasks.front(), end);
        worker.tasks.pop_front();
        queue.give_back(worker.tasks);
      }
      workers.erase(workers.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
}

} // namespace

Error wrong_form() {
  return system_error("a child process sent something else than its result");
}

void stream_texts_from_children(std::size_t tasks, const NumberedTask<std::string>& task, const PoolOptions& options,
                                const Settled<std::string>& settled) {
  if (!options.team || options.team->size() == 1)
    return stream_own(tasks, task, options, settled);
  const auto rank = static_cast<std::size_t>(options.team->rank());
  const auto size = static_cast<std::size_t>(options.team->size());
  const auto number = [&](std::size_t own) { return rank + own * size; };
  std::vector<SharedResult> results;
  stream_own((tasks + size - 1 - rank) / size, [&](std::size_t own) { return task(number(own)); }, options,
             [&](std::size_t own, Result<std::string> result) {
               results.push_back({number(own), as_sent(result)});
               settled(number(own), std::move(result));
             });
  const auto texts = options.team->gather(encode(results));
  for (std::size_t other = 0; other < size; ++other) {
    if (other == rank)
      continue;
    const auto theirs = decode<std::vector<SharedResult>>(texts[other]);
    for (const auto& result : *theirs)
      settled(result.task, as_received(result.sent));
  }
}

} // namespace kakehashi
