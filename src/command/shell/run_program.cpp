#include "command/shell/programs.hpp"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace kakehashi {
namespace {

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (auto& text : texts)
    pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> environment_with(const std::map<std::string, std::string>& variables) {
  std::vector<std::string> all;
  for (auto** each = environ; *each; ++each) {
    const std::string text = *each;
    if (!variables.contains(text.substr(0, text.find('='))))
      all.push_back(text);
  }
  for (const auto& [name, value] : variables)
    all.push_back(name + '=' + value);
  return all;
}

Result<pid_t> start(std::vector<std::string> words, const std::map<std::string, std::string>& variables, int output) {
  auto environment = environment_with(variables);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (output >= 0) {
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
  }
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t defaults;
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGINT);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  pid_t process = 0;
  const int failed = posix_spawnp(&process, words.front().c_str(), &actions, &attributes, pointers_to(words).data(),
                                  pointers_to(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (failed != 0)
    return file_error(ErrorKind::usage, words.front(), fmt::format("cannot be run: {}", std::strerror(failed)));
  return process;
}

int end_of(pid_t process) {
  constexpr int by_signal = 128;
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? by_signal + WTERMSIG(status) : WEXITSTATUS(status);
}

} // namespace

Result<int> run_program(const std::vector<std::string>& words, const std::map<std::string, std::string>& variables) {
  struct sigaction ignore {};
  struct sigaction before {};
  ignore.sa_handler = SIG_IGN; // the program gets Ctrl-C
  sigaction(SIGINT, &ignore, &before);
  const auto process = start(words, variables, -1);
  const auto end = process ? Result<int>(end_of(*process)) : Result<int>(process.errors());
  sigaction(SIGINT, &before, nullptr);
  return end;
}

Result<ProgramOutput> output_of_program(const std::vector<std::string>& words) {
  int ends[2];
  if (pipe(ends) != 0)
    return system_error(fmt::format("no pipe can be made: {}", std::strerror(errno)));
  const auto process = start(words, {}, ends[1]);
  close(ends[1]);
  ProgramOutput output;
  char room[4096];
  for (ssize_t count = 0; process && (count = read(ends[0], room, sizeof room)) > 0;)
    output.text.append(room, static_cast<std::size_t>(count));
  close(ends[0]);
  if (!process)
    return process.errors();
  output.exit_code = end_of(*process);
  return output;
}

} // namespace kakehashi
