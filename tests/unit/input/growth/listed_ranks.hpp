// Events of ranks as a test lists them, and what is asked of jobs that grow from them.
#pragma once

#include "input/growth/growth.hpp"

#include <functional>
#include <memory>

namespace kakehashi {

using Events = std::vector<TraceEvent>;

inline TraceEvent event(auto what) {
  return {1, {}, {}, {}, what};
}
inline SendEvent send(int to, std::uint64_t bytes) {
  SendEvent send;
  send.to = to;
  send.size = Bytes{bytes};
  return send;
}
inline ReceiveEvent receive(int from, int tag = 0) {
  ReceiveEvent receive;
  receive.from = from;
  receive.tag = tag;
  return receive;
}
inline TraceEvent work(double seconds) {
  return event(ElapseEvent{Seconds{seconds}, true});
}

class ListedEvents : public EventStream {
public:
  explicit ListedEvents(Events events) : events_(std::move(events)) {}
  const std::string& file() const override { return file_; }
  const TraceEvent* next() override { return next_ < events_.size() ? &events_[next_++] : nullptr; }
  const std::optional<Error>& fault() const override { return fault_; }

private:
  std::string file_ = "listed";
  Events events_;
  std::size_t next_ = 0;
  std::optional<Error> fault_;
};

class Listed : public TraceSource {
public:
  explicit Listed(std::function<Events(int)> events, std::vector<RankGroup> groups = {})
      : events_(std::move(events)), groups_(std::move(groups)) {}
  std::unique_ptr<EventStream> open(int rank) const override { return std::make_unique<ListedEvents>(events_(rank)); }
  std::uint64_t bytes() const override { return 1000; }
  std::vector<std::string> files() const override { return {"listed"}; }
  const std::vector<RankGroup>& communicators() const override { return groups_; }
  const std::vector<std::string>& warnings() const override { return warnings_; }

private:
  std::vector<std::string> warnings_{"listed: something was not recorded"};
  std::function<Events(int)> events_;
  std::vector<RankGroup> groups_;
};

using Sends = std::vector<std::pair<int, std::uint64_t>>;

inline Sends sends_of(const TraceSource& source, int rank) {
  Sends sends;
  const auto stream = source.open(rank);
  while (const auto* event = stream->next())
    if (const auto* send = std::get_if<SendEvent>(&event->what))
      sends.emplace_back(*send->to, send->size.count);
  return sends;
}
inline double work_of(const TraceSource& source, int rank) {
  double seconds = 0;
  const auto stream = source.open(rank);
  while (const auto* event = stream->next())
    seconds += work_of(*event);
  return seconds;
}
inline std::string fault_of(const Result<GrownJob>& job) {
  return job ? "" : to_text(job.errors().front());
}

} // namespace kakehashi
