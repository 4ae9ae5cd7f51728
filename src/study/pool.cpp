#include "study/pool.hpp"

#include "base/child.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <poll.h>

namespace kakehashi {
namespace {

Error failure(std::string message) {
  return {ErrorKind::run, "", "", std::move(message), ""};
}

// The form in which results pass the pipe: a text, or errors.
struct SentError {
  int kind = 0;
  std::string file;
  std::string place;
  std::string message;
  std::string suggestion;
  static constexpr auto fields() {
    return std::tuple(&SentError::kind, &SentError::file, &SentError::place, &SentError::message,
                      &SentError::suggestion);
  }
};

struct SentResult {
  std::optional<std::string> text;
  std::vector<SentError> errors;
  static constexpr auto fields() { return std::tuple(&SentResult::text, &SentResult::errors); }
};

std::string as_sent(const Result<std::string>& result) {
  SentResult sent;
  if (result)
    sent.text = *result;
  else
    for (const auto& error : result.errors())
      sent.errors.push_back({static_cast<int>(error.kind), error.file, error.place, error.message, error.suggestion});
  return encode(sent);
}

Result<std::string> as_received(const std::string& received) {
  if (received.empty())
    return failure("a child process ended without a result");
  auto sent = decode<SentResult>(received);
  if (!sent || sent->text.has_value() != sent->errors.empty())
    return wrong_form();
  if (sent->text)
    return std::move(*sent->text);
  Errors errors;
  for (const auto& error : sent->errors)
    errors.push_back({error.kind == static_cast<int>(ErrorKind::input)   ? ErrorKind::input
                      : error.kind == static_cast<int>(ErrorKind::usage) ? ErrorKind::usage
                                                                         : ErrorKind::run,
                      error.file, error.place, error.message, error.suggestion});
  return errors;
}

struct Worker {
  Child child;
  std::size_t task = 0;
  std::string received;
};

Result<Child> start(const NumberedTask<std::string>& task, std::size_t index) {
  return start_child([&] {
    try {
      return as_sent(task(index));
    } catch (const std::exception& problem) {
      return as_sent(failure(problem.what()));
    }
  });
}

Result<std::string> finish(const Worker& worker) {
  if (const auto crash = end_child(worker.child))
    return failure(fmt::format("the simulation crashed ({})", *crash));
  return as_received(worker.received);
}

} // namespace

Error wrong_form() {
  return failure("a child process sent something else than its result");
}

void stream_texts_from_children(std::size_t tasks, const NumberedTask<std::string>& task, int jobs,
                                const Settled<std::string>& settled) {
  std::vector<Worker> workers;
  std::size_t next = 0;
  while (next < tasks || !workers.empty()) {
    while (next < tasks && workers.size() < static_cast<std::size_t>(std::max(1, jobs))) {
      if (const auto child = start(task, next))
        workers.push_back({*child, next, ""});
      else
        settled(next, child.errors());
      ++next;
    }
    std::vector<pollfd> waits;
    for (const auto& worker : workers)
      waits.push_back({worker.child.pipe, POLLIN, 0});
    if (poll(waits.data(), waits.size(), -1) < 0)
      continue;
    for (std::size_t i = workers.size(); i-- > 0;)
      if (waits[i].revents != 0 && !receive(workers[i].child, workers[i].received)) {
        settled(workers[i].task, finish(workers[i]));
        workers.erase(workers.begin() + static_cast<std::ptrdiff_t>(i));
      }
  }
}

} // namespace kakehashi
