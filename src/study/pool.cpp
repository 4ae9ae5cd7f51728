#include "study/pool.hpp"

#include "base/child.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

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

struct Child {
  pid_t process = -1;
  int pipe = -1;
  std::size_t task = 0;
  std::string received;
};

void write_all(int file, const std::string& text) {
  for (std::size_t written = 0; written < text.size();) {
    const auto count = write(file, text.data() + written, text.size() - written);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return;
    written += static_cast<std::size_t>(count);
  }
}

[[noreturn]] void be_child(const NumberedTask<std::string>& task, std::size_t index, int pipe) {
  std::string text;
  try {
    text = as_sent(task(index));
  } catch (const std::exception& problem) {
    text = as_sent(failure(problem.what()));
  }
  write_all(pipe, text);
  _exit(0); // without flushing what the parent had buffered
}

Result<Child> start(const NumberedTask<std::string>& task, std::size_t index) {
  int ends[2];
  if (pipe(ends) != 0)
    return failure(fmt::format("no pipe to a child process: {}", std::strerror(errno)));
  const auto parent = getpid();
  const auto process = fork();
  if (process == 0) {
    end_with_parent(parent);
    close(ends[0]);
    be_child(task, index, ends[1]);
  }
  close(ends[1]);
  if (process < 0) {
    close(ends[0]);
    return failure(fmt::format("no child process: {}", std::strerror(errno)));
  }
  return Child{process, ends[0], index, ""};
}

Result<std::string> finish(Child& child) {
  close(child.pipe);
  int status = 0;
  while (waitpid(child.process, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status))
    return failure(fmt::format("the simulation crashed ({})", strsignal(WTERMSIG(status))));
  return as_received(child.received);
}

// Reads what has come; false at the end of the pipe.
bool receive(Child& child) {
  char buffer[4096];
  const auto count = read(child.pipe, buffer, sizeof buffer);
  if (count < 0)
    return errno == EINTR || errno == EAGAIN;
  child.received.append(buffer, static_cast<std::size_t>(count));
  return count > 0;
}

} // namespace

Error wrong_form() {
  return failure("a child process sent something else than its result");
}

void stream_texts_from_children(std::size_t tasks, const NumberedTask<std::string>& task, int jobs,
                                const Settled<std::string>& settled) {
  std::vector<Child> children;
  std::size_t next = 0;
  while (next < tasks || !children.empty()) {
    while (next < tasks && children.size() < static_cast<std::size_t>(std::max(1, jobs))) {
      auto child = start(task, next);
      if (child)
        children.push_back(std::move(*child));
      else
        settled(next, child.errors());
      ++next;
    }
    std::vector<pollfd> waits;
    for (const auto& child : children)
      waits.push_back({child.pipe, POLLIN, 0});
    if (poll(waits.data(), waits.size(), -1) < 0)
      continue;
    for (std::size_t i = children.size(); i-- > 0;)
      if (waits[i].revents != 0 && !receive(children[i])) {
        settled(children[i].task, finish(children[i]));
        children.erase(children.begin() + static_cast<std::ptrdiff_t>(i));
      }
  }
}

} // namespace kakehashi
