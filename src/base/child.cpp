#include "base/child.hpp"

#include "base/interrupt.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace kakehashi {
namespace {

Error no_child(const char* what) {
  return system_error(fmt::format("{}: {}", what, std::strerror(errno)));
}

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

[[noreturn]] void be_child(const std::function<void(const Send&)>& work, int parent, int pipe) {
  leave_interrupts_to_parent();
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) // the parent has ended already
    _exit(1);
  try {
    work([pipe](const std::string& text) { write_all(pipe, text); });
  } catch (const std::exception&) {
    raise(SIGABRT);
  }
  _exit(0); // does not flush the parent's buffers
}

void limit(decltype(RLIMIT_CPU) what, rlim_t most) {
  const rlimit both{most, most};
  setrlimit(what, &both);
}

void be_silent_and_modest(unsigned seconds) {
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, seconds);
#ifndef KAKEHASHI_SANITIZED // sanitizers map far more than they use
  limit(RLIMIT_DATA, rlim_t{4} << 30);
#endif
}

} // namespace

Result<Child> start_child(const std::function<void(const Send&)>& work) {
  int ends[2];
  if (pipe(ends) != 0)
    return no_child("no pipe to a child process");
  const auto parent = getpid();
  const auto process = fork();
  if (process == 0) {
    close(ends[0]);
    be_child(work, parent, ends[1]);
  }
  close(ends[1]);
  if (process < 0) {
    close(ends[0]);
    return no_child("no child process");
  }
  return Child{process, ends[0]};
}

bool receive(const Child& child, std::string& result) {
  char buffer[4096];
  const auto count = read(child.pipe, buffer, sizeof buffer);
  if (count < 0)
    return errno == EINTR || errno == EAGAIN;
  result.append(buffer, static_cast<std::size_t>(count));
  return count > 0;
}

std::optional<std::string> end_child(const Child& child) {
  close(child.pipe);
  int status = 0;
  while (waitpid(child.process, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status)        ? std::optional<std::string>(strsignal(WTERMSIG(status)))
         : WEXITSTATUS(status) != 0 ? std::optional<std::string>("it gave up")
                                    : std::nullopt;
}

Result<ChildEnd> do_in_child(const std::function<std::string()>& task, unsigned seconds) {
  const auto child = start_child([&](const Send& send) {
    be_silent_and_modest(seconds);
    send(task());
  });
  if (!child)
    return child.errors();
  ChildEnd end;
  while (receive(*child, end.result)) {
  }
  end.crash = end_child(*child);
  return end;
}

} // namespace kakehashi
