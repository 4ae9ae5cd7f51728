#include "study/pool/pool.hpp"

#include "base/child.hpp"
#include "base/memory.hpp"
#include "engine/flow/network.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fmt/format.h>
#include <new>
#include <poll.h>

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

struct Worker {
  Child child;
  std::size_t task = 0;
  bool is_in_front = false;
  std::string received;
  bool has_news = false; // its pipe has something to read
  bool is_late = false;  // it exceeded its time and was ended
  Clock::time_point began = Clock::now();
};

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

Result<Child> start(const NumberedTask<std::string>& task, std::size_t index, int at_once) {
  return start_child([&] {
    share_memory(at_once);
    try {
      return as_sent(task(index));
    } catch (const std::bad_alloc&) {
      return as_sent(system_error("there is not enough memory"));
    } catch (const std::exception& problem) {
      return as_sent(run_error(problem.what()));
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
    if (!worker.is_late && Seconds{std::chrono::duration<double>(Clock::now() - worker.began).count()} > most_time) {
      worker.is_late = true;
      kill(worker.child.process, SIGKILL);
    }
}

Result<std::string> finish(const Worker& worker, const PoolOptions& options) {
  const auto crash = end_child(worker.child);
  if (worker.is_late)
    return system_error(fmt::format("not done after {:g} s, the time that each may take", options.most_time->value));
  if (crash)
    return system_error(fmt::format("the simulation crashed ({})", *crash));
  return as_received(worker.received);
}

void stream_own(std::size_t tasks, const NumberedTask<std::string>& task, const PoolOptions& options,
                const Settled<std::string>& settled) {
  load_simgrid(); // once for all children
  std::vector<Worker> workers;
  std::size_t next = 0;
  std::size_t end = tasks; // tasks from here on were taken from the end
  while (next < end || !workers.empty()) {
    if (options.goes_on && !options.goes_on())
      return end_all(workers);
    while (next < end && workers.size() < static_cast<std::size_t>(std::max(1, options.jobs))) {
      const bool is_in_front = !options.from_both_ends || std::ranges::none_of(workers, &Worker::is_in_front);
      const auto index = is_in_front ? next : end - 1;
      if (const auto child = start(task, index, options.jobs))
        workers.push_back({*child, index, is_in_front, ""});
      else if (!workers.empty())
        break; // the system has no room now, but will have once a worker ends
      else
        settled(index, child.errors());
      (is_in_front ? next : end) = is_in_front ? next + 1 : end - 1;
    }
    if (options.most_time)
      end_late(workers, *options.most_time);
    if (!wait_for(workers))
      continue;
    for (std::size_t i = workers.size(); i-- > 0;)
      if (workers[i].has_news && !receive(workers[i].child, workers[i].received)) {
        settled(workers[i].task, finish(workers[i], options));
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
