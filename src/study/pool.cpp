#include "study/pool.hpp"

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

// The form in which results pass the pipe: a word that tells which kind follows, then fields that end with a zero byte.
std::string encode(const Result<std::string>& result) {
  std::string text;
  const auto field = [&](std::string_view value) { text.append(value).push_back('\0'); };
  if (result) {
    field("ok");
    field(*result);
    return text;
  }
  field("errors");
  for (const auto& error : result.errors()) {
    field(std::to_string(static_cast<int>(error.kind)));
    for (const auto* each : {&error.file, &error.place, &error.message, &error.suggestion})
      field(*each);
  }
  return text;
}

Result<std::string> decode(const std::string& text) {
  std::vector<std::string> fields;
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = text.find('\0', begin);
    if (end == std::string::npos)
      return failure("a child process sent half a result");
    fields.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  if (fields.size() == 2 && fields[0] == "ok")
    return fields[1];
  Errors errors;
  for (std::size_t i = 1; i + 4 < fields.size(); i += 5)
    errors.push_back(
        {static_cast<ErrorKind>(std::stoi(fields[i])), fields[i + 1], fields[i + 2], fields[i + 3], fields[i + 4]});
  if (errors.empty())
    return failure("a child process ended without a result");
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

using NumberedTask = std::function<Result<std::string>(std::size_t)>;

[[noreturn]] void be_child(const NumberedTask& task, std::size_t index, int pipe) {
  std::string text;
  try {
    text = encode(task(index));
  } catch (const std::exception& problem) {
    text = encode(failure(problem.what()));
  }
  write_all(pipe, text);
  _exit(0); // without flushing what the parent had buffered
}

Result<Child> start(const NumberedTask& task, std::size_t index) {
  int ends[2];
  if (pipe(ends) != 0)
    return failure(fmt::format("no pipe to a child process: {}", std::strerror(errno)));
  const auto process = fork();
  if (process == 0) {
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
  return decode(child.received);
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

void stream_from_children(std::size_t tasks, const NumberedTask& task, int jobs,
                          const std::function<void(std::size_t, Result<std::string>)>& settled) {
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

std::vector<Result<std::string>> run_texts_in_children(std::span<const TextTask> tasks, int jobs,
                                                       const std::function<void()>& done) {
  std::vector<Result<std::string>> results(tasks.size(), Result<std::string>(std::string()));
  stream_from_children(
      tasks.size(), [&](std::size_t task) { return tasks[task](); }, jobs,
      [&](std::size_t task, Result<std::string> result) {
        results[task] = std::move(result);
        if (done)
          done();
      });
  return results;
}

std::vector<Result<Numbers>> run_in_children(std::span<const Task> tasks, int jobs, const std::function<void()>& done) {
  std::vector<TextTask> texts;
  for (const auto& task : tasks)
    texts.push_back([&task]() -> Result<std::string> {
      const auto numbers = task();
      if (!numbers)
        return numbers.errors();
      std::string text;
      for (const double number : *numbers)
        text += fmt::format("{:a} ", number);
      return text;
    });
  std::vector<Result<Numbers>> results;
  for (const auto& result : run_texts_in_children(texts, jobs, done)) {
    if (!result) {
      results.push_back(result.errors());
      continue;
    }
    Numbers numbers;
    const char* at = result->c_str();
    char* end = nullptr;
    for (double number = std::strtod(at, &end); end != at; number = std::strtod(at, &end)) {
      numbers.push_back(number);
      at = end;
    }
    results.push_back(std::move(numbers));
  }
  return results;
}

} // namespace kakehashi
