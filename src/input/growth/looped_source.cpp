#include "input/growth/growth_parts.hpp"

#include <algorithm>
#include <set>

namespace kakehashi {
namespace {

// A recording whose loops change.
struct LoopedCalls : ChangedRecording {
  std::vector<bool> is_of_all; // one entry a communicator; empty: the only one is
  std::size_t calls = 0;
  std::vector<CallRange> ranges;

  bool ends_at(const TraceEvent& event) const {
    const auto* call = std::get_if<CollectiveEvent>(&event.what);
    return call && (is_of_all.empty() || is_of_all[call->communicator]);
  }
};

// Reads a rank's events from the first on, and numbers its requests from 1.
class NumberedEvents {
public:
  NumberedEvents(const LoopedCalls& looped, int rank) : looped_(looped), events_(looped.source->open(rank)) {}

  const EventStream& stream() const { return *events_; }
  std::size_t calls() const { return calls_; }      // number of calls of all ranks that have ended
  std::uint64_t requests() const { return begun_; } // number of requests so far
  std::uint64_t works() const { return works_; }    // works of devices that have begun so far
  std::optional<TraceEvent> next() {
    const auto* event = events_->next();
    if (!event)
      return std::nullopt;
    auto numbered = *event;
    number_requests(
        numbered, [this](std::uint64_t request) { return open_[request] = ++begun_; },
        [this](std::vector<std::uint64_t>& ended) {
          for (auto& request : ended) {
            const auto found = open_.extract(request);
            request = found ? found.mapped() : 0;
          }
          std::erase(ended, std::uint64_t{0});
        });
    works_ += std::holds_alternative<DeviceWorkEvent>(numbered.what);
    calls_ += looped_.ends_at(numbered);
    return numbered;
  }
  void skip_to(std::size_t call) {
    while (calls_ < call && next())
      ;
  }

private:
  const LoopedCalls& looped_;
  std::unique_ptr<EventStream> events_;
  std::size_t calls_ = 0;
  std::uint64_t begun_ = 0;
  std::uint64_t works_ = 0;
  std::map<std::uint64_t, std::uint64_t> open_;
};

// A range that begins before another has ended needs a further reader. Readers restart only if all are too far.
class LoopedStream : public EventStream {
public:
  LoopedStream(std::shared_ptr<const LoopedCalls> looped, int rank) : looped_(std::move(looped)), rank_(rank) {
    readers_.push_back(std::make_unique<NumberedEvents>(*looped_, rank_));
  }

  const std::string& file() const override { return reader().stream().file(); }
  std::string_view unit() const override { return reader().stream().unit(); }
  const std::optional<Error>& fault() const override { return reader().stream().fault(); }
  const TraceEvent* next() override {
    while (range_ < looped_->ranges.size() && reader().calls() == looped_->ranges[range_].end) {
      ++range_;
      go_to(range_ < looped_->ranges.size() ? looped_->ranges[range_].begin : looped_->calls);
    }
    auto event = reader().next();
    if (!event)
      return nullptr;
    event_ = std::move(*event);
    event_.site = kept(event_.site);
    event_.region = kept(event_.region);
    number_requests(
        event_, [this](std::uint64_t request) { return open_[request] = request + shift_; },
        [this](std::vector<std::uint64_t>& ended) {
          for (auto& request : ended)
            request = end_of(request);
        });
    shift_works(event_, works_shift_);
    return &event_;
  }

private:
  // Except in rare cases, loops with other counts are not nested more deeply.
  static constexpr std::size_t most_readers = 3;

  const NumberedEvents& reader() const { return *readers_[reader_]; }
  NumberedEvents& reader() { return *readers_[reader_]; }

  // A repeated repetition begins its requests again. If it ends a request that was begun in the previous repetition,
  // the one that was begun equally long ago ends.
  std::uint64_t end_of(std::uint64_t request) {
    const auto found = open_.extract(request);
    return found ? found.mapped() : request + shift_;
  }
  // Texts must outlive the reader that they come from.
  std::string_view kept(std::string_view text) {
    const auto found = texts_.find(text);
    return found != texts_.end() ? *found : *texts_.emplace(text).first;
  }
  void go_to(std::size_t call) {
    const auto begun = reader().requests(), works = reader().works();
    reader_ = reader_at_most(call);
    reader().skip_to(call);
    shift_ += begun - reader().requests();
    works_shift_ += works - reader().works();
  }
  std::size_t reader_at_most(std::size_t call) {
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < readers_.size(); ++i)
      if (readers_[i]->calls() <= call && (!best || readers_[i]->calls() > readers_[*best]->calls()))
        best = i;
    if (best)
      return *best;
    auto anew = std::make_unique<NumberedEvents>(*looped_, rank_);
    if (readers_.size() < most_readers) {
      readers_.push_back(std::move(anew));
      return readers_.size() - 1;
    }
    readers_.back() = std::move(anew);
    return readers_.size() - 1;
  }

  std::shared_ptr<const LoopedCalls> looped_;
  int rank_;
  std::vector<std::unique_ptr<NumberedEvents>> readers_;
  std::size_t reader_ = 0;
  std::size_t range_ = 0;
  std::uint64_t shift_ = 0; // added to requests' numbers; negative values wrap around
  std::uint64_t works_shift_ = 0;
  std::map<std::uint64_t, std::uint64_t> open_;
  std::set<std::string, std::less<>> texts_;
  TraceEvent event_;
};

} // namespace

std::shared_ptr<const TraceSource> looped_source(const SurveyedSize& size, std::size_t calls,
                                                 std::vector<CallRange> ranges) {
  const auto& source = size.recording.source;
  LoopedCalls looped{{source, 1, 1, source->communicators(), source->warnings()}, {}, calls, std::move(ranges)};
  for (const auto& line : size.lines)
    looped.is_of_all.push_back(ranks_along(size.grid, line) == size.grid.ranks());
  return std::make_shared<ChangedSource<LoopedCalls, LoopedStream>>(std::move(looped));
}

} // namespace kakehashi
