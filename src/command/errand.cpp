#include "command/errand.hpp"

#include "base/wire.hpp"
#include "command/command.hpp"
#include "report/draw/svg.hpp"
#include "report/page/page.hpp"

#include <cassert>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sstream>
#include <unistd.h>
#include <utility>

namespace kakehashi {
namespace {

std::string chart_of(const Page& page) {
  std::ostringstream svg;
  if (const auto* drawing = main_drawing(page))
    write_svg(*drawing, SvgColours::light_or_dark, svg);
  return svg.str();
}

Answer answer_to(const Errand& errand, const StudyProgress& progress) {
  Answer answer;
  std::ostringstream out;
  std::ostringstream err;
  Errors faults;
  Streams streams{.out = out, .err = err, .faults = &faults, .progress = progress, .texts = errand.texts};
  if (errand.draws)
    streams.page = [&](const Page& page) { answer.chart = chart_of(page); };
  answer.exit_code = run_command_line(errand.words, streams);
  answer.out = out.str();
  answer.notes = err.str();
  for (const auto& fault : faults)
    answer.faults.push_back(to_text(fault));
  return answer;
}

} // namespace

Result<RunningErrand> RunningErrand::start(const Errand& errand) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
    return run_error(fmt::format("no pipe to a child process: {}", std::strerror(errno)));
  const auto child = start_child([&](const Send& send) {
    setpgid(0, 0); // a terminal's Ctrl-C is for the caller, who ends the whole group
    send(encode(answer_to(errand, [&](std::size_t done, std::size_t all) {
      const Progress news{done, all}; // small enough to be written as a whole; it is lost if nobody reads it
      [[maybe_unused]] const auto written = write(ends[1], &news, sizeof news);
    })));
  });
  close(ends[1]);
  if (!child) {
    close(ends[0]);
    return child.errors();
  }
  setpgid(child->process, child->process); // both processes call it, since either may be first
  return RunningErrand(*child, ends[0]);
}

RunningErrand::RunningErrand(RunningErrand&& other) noexcept
    : child_(std::exchange(other.child_, {})), news_(std::exchange(other.news_, -1)), progress_(other.progress_),
      received_(std::move(other.received_)), crash_(std::move(other.crash_)) {}

void RunningErrand::stop() {
  if (child_.process >= 0) {
    kill(-child_.process, SIGKILL);
    crash_ = end_child(std::exchange(child_, {}));
  }
  if (news_ >= 0)
    close(std::exchange(news_, -1));
}

bool RunningErrand::wait(int milliseconds) {
  if (child_.process < 0)
    return false;
  pollfd waits[]{{child_.pipe, POLLIN, 0}, {news_, POLLIN, 0}};
  if (poll(waits, 2, milliseconds) <= 0)
    return true;
  for (Progress news; read(news_, &news, sizeof news) == sizeof news;)
    progress_ = news;
  if (waits[0].revents == 0 || receive(child_, received_))
    return true;
  crash_ = end_child(std::exchange(child_, {}));
  return false;
}

Answer RunningErrand::answer() const {
  assert(child_.process < 0);
  auto answer = crash_ ? std::nullopt : decode<Answer>(received_);
  if (!answer) // its process could not report what happened to it
    return {1, "", "", {fmt::format("the simulation crashed ({})", crash_.value_or("without a result"))}, ""};
  return std::move(*answer);
}

} // namespace kakehashi
