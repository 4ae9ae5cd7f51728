#include "base/child.hpp"

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

void limit(decltype(RLIMIT_CPU) what, rlim_t most) {
  const rlimit both{most, most};
  setrlimit(what, &both);
}

[[noreturn]] void be_child(const std::function<void()>& task, unsigned seconds) {
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, seconds);
#ifndef __SANITIZE_ADDRESS__ // which maps far more than it uses
  limit(RLIMIT_DATA, rlim_t{4} << 30);
#endif
  try {
    task();
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

std::optional<std::string> fails_in_child(const std::function<void()>& task, unsigned seconds) {
  const auto parent = getpid();
  const auto child = fork();
  if (child < 0)
    return std::strerror(errno);
  if (child == 0) {
    end_with_parent(parent);
    be_child(task, seconds);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status))
    return strsignal(WTERMSIG(status));
  return WEXITSTATUS(status) == 0 ? std::nullopt : std::optional<std::string>("out of memory");
}

} // namespace kakehashi
