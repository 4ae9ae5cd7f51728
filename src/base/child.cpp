#include "base/child.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace kakehashi {
namespace {

constexpr std::size_t most_said = 4096; // a pipe takes that at once

void limit(decltype(RLIMIT_CPU) what, rlim_t most) {
  const rlimit both{most, most};
  setrlimit(what, &both);
}

[[noreturn]] void be_child(const std::function<std::string()>& task, unsigned seconds, int pipe) {
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, seconds);
#ifndef __SANITIZE_ADDRESS__ // which maps far more than it uses
  limit(RLIMIT_DATA, rlim_t{4} << 30);
#endif
  try {
    const auto said = task().substr(0, most_said);
    if (write(pipe, said.data(), said.size()) != static_cast<ssize_t>(said.size()))
      _exit(1);
  } catch (const std::exception&) {
    _exit(1);
  }
  _exit(0); // without flushing what the parent had buffered
}

} // namespace

void end_with_parent(int parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) // it ended before
    _exit(1);
}

ChildEnd do_in_child(const std::function<std::string()>& task, unsigned seconds) {
  int ends[2];
  if (pipe(ends) != 0)
    return {"", std::strerror(errno)};
  const auto parent = getpid();
  const auto child = fork();
  if (child == 0) {
    end_with_parent(parent);
    be_child(task, seconds, ends[1]);
  }
  close(ends[1]);
  ChildEnd end;
  if (child < 0)
    end.crash = std::strerror(errno);
  end.said.resize(most_said);
  ssize_t count = 0;
  while (child > 0 && (count = read(ends[0], end.said.data(), most_said)) < 0 && errno == EINTR) {
  }
  end.said.resize(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  close(ends[0]);
  int status = 0;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status))
    end.crash = strsignal(WTERMSIG(status));
  else if (WEXITSTATUS(status) != 0)
    end.crash = "out of memory";
  return end;
}

} // namespace kakehashi
