// Events of ranks as a test lists them.
#pragma once

#include "model/trace_event.hpp"

#include <functional>
#include <memory>

namespace kakehashi {

using Events = std::vector<TraceEvent>;

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

} // namespace kakehashi
