#include "input/growth/doubling_plan.hpp"
#include "input/growth/growth_parts.hpp"

#include <algorithm>
#include <cmath>
#include <deque>

namespace kakehashi {
namespace {

struct Doubled : ChangedRecording {
  DoublingPlan plan;
  std::vector<double> works; // the factor of each recorded rank's work
};

// Reads a rank's calls one after the other, each with the events up to the next call. The first entry holds the events
// before all calls.
class CallReader {
public:
  CallReader(std::unique_ptr<EventStream> events, std::size_t kept) : events_(std::move(events)), most_(kept) {}

  const EventStream& stream() const { return *events_; }
  struct ReadCall {
    std::vector<TraceEvent> events;
    std::uint64_t works = 0; // works of devices that were begun earlier
  };
  // Returns a call by its number, from 0. The previous calls are kept, up to the limit.
  const ReadCall& call(std::size_t turn) {
    while (read_ <= turn + 1)
      read();
    return kept_[kept_.size() - (read_ - turn - 1)];
  }
  const std::vector<TraceEvent>& before_all() {
    read();
    return kept_.back().events;
  }

private:
  void read() {
    auto& call = kept_.emplace_back();
    call.works = works_;
    if (next_)
      call.events.push_back(std::move(*next_));
    next_.reset();
    while (const auto* event = events_->next()) {
      if (!parts_of(*event).empty()) {
        next_ = *event;
        break;
      }
      works_ += std::holds_alternative<DeviceWorkEvent>(event->what);
      call.events.push_back(*event);
    }
    ++read_;
    if (kept_.size() > most_)
      kept_.pop_front();
  }

  std::unique_ptr<EventStream> events_;
  std::size_t most_;
  std::deque<ReadCall> kept_;
  std::optional<TraceEvent> next_;
  std::size_t read_ = 0; // includes the events before all calls
  std::uint64_t works_ = 0;
};

class DoubledStream : public EventStream {
public:
  DoubledStream(std::shared_ptr<const Doubled> doubled, int rank)
      : doubled_(std::move(doubled)), rank_(rank), recorded_(rank % doubled_->recorded_ranks),
        reader_(doubled_->source->open(recorded_), 2 * doubled_->plan.longest + 2), now_(reader_.before_all()) {}

  const std::string& file() const override { return reader_.stream().file(); }
  std::string_view unit() const override { return reader_.stream().unit(); }
  const std::optional<Error>& fault() const override { return reader_.stream().fault(); }
  const TraceEvent* next() override {
    while (at_ == now_.size()) {
      if (turn_ == doubled_->plan.calls.size())
        return nullptr;
      begin_call(doubled_->plan.calls[turn_++]);
    }
    event_ = now_[at_++];
    event_.recorded = {};
    number_requests(
        event_, [this](std::uint64_t request) { return begin(request); },
        [this](std::vector<std::uint64_t>& requests) { end(requests); });
    if (call_ && at_ == 1)
      std::visit([this](auto& what) { change(what); }, event_.what);
    works_ += std::holds_alternative<DeviceWorkEvent>(event_.what);
    shift_works(event_, works_shift_);
    scale_work(event_, doubled_->works[static_cast<std::size_t>(recorded_)]);
    return &event_;
  }

private:
  void begin_call(const DoublingPlan::Call& call) {
    call_ = &call;
    is_again_ = begun_ > call.recorded;
    begun_ = std::max(begun_, call.recorded + 1);
    const auto& read = reader_.call(call.recorded);
    now_ = read.events;
    works_shift_ += works_ - read.works;
    works_ = read.works;
    at_ = 0;
  }

  // In a repeated stage requests are new; they end when the recorded ones do.
  std::uint64_t begin(std::uint64_t request) {
    if (!is_again_)
      return request;
    const auto anew = std::uint64_t{1} << 62 | ++added_;
    again_[request].push_back(anew);
    return anew;
  }
  void end(std::vector<std::uint64_t>& requests) {
    std::vector<std::uint64_t> ended;
    for (const auto request : requests) {
      const auto found = again_.extract(request);
      if (found)
        ended.insert(ended.end(), found.mapped().begin(), found.mapped().end());
      if (!is_again_)
        ended.push_back(request);
    }
    requests = std::move(ended);
  }

  std::optional<int> partner(std::size_t end) const {
    const auto rule = call_->ends[end].partner;
    return rule ? std::optional(doubled_->plan.partners[*rule].of(rank_)) : std::nullopt;
  }
  Bytes grown(Bytes size) const { return Bytes{grown(size.count)}; }
  std::uint64_t grown(std::uint64_t bytes) const {
    return static_cast<std::uint64_t>(
        std::llround(std::min(static_cast<double>(bytes) * call_->size, static_cast<double>(largest_size.count))));
  }
  void change(SendEvent& send, std::size_t end) {
    send.to = partner(end);
    send.tag = call_->ends[end].tag;
    send.size = grown(send.size);
  }
  void change(ReceiveEvent& receive, std::size_t end) {
    receive.from = partner(end);
    if (receive.tag)
      receive.tag = call_->ends[end].tag;
  }
  void change(SendEvent& send) { change(send, 0); }
  void change(ReceiveEvent& receive) { change(receive, 0); }
  void change(SendReceiveEvent& both) {
    change(both.send, 0);
    change(both.receive, 1);
  }
  void change(RemoteEvent& remote) {
    remote.peer = partner(0).value_or(remote.peer);
    remote.size = grown(remote.size);
  }
  void change(CollectiveEvent& call) { call.size = grown(call.size); }
  void change(auto&) {}

  std::shared_ptr<const Doubled> doubled_;
  int rank_;
  int recorded_; // the recorded rank whose calls it repeats
  CallReader reader_;
  std::vector<TraceEvent> now_;
  std::size_t at_ = 0;
  std::size_t turn_ = 0;
  const DoublingPlan::Call* call_ = nullptr; // null: before all calls
  std::size_t begun_ = 0;                    // number of recorded calls begun
  bool is_again_ = false;
  std::uint64_t added_ = 0;
  std::uint64_t works_ = 0;       // works of devices that the recording has begun up to its present place
  std::uint64_t works_shift_ = 0; // added to their numbers; negative values wrap around
  std::map<std::uint64_t, std::vector<std::uint64_t>> again_;
  TraceEvent event_;
};

} // namespace

std::shared_ptr<const TraceSource> doubled_source(const CommonCalls& recorded, DoublingPlan plan, int bits, double work,
                                                  std::vector<std::string> warnings) {
  Doubled doubled{{recorded.source, recorded.ranks(), 1 << bits, {}, std::move(warnings)}, std::move(plan), {}};
  // One recorded rank stands for several; they do the average work, which may not be its own.
  for (const double own : recorded.works)
    doubled.works.push_back(own > 0 ? work * recorded.work / own : work);
  for (const auto& group : recorded.source->communicators()) {
    auto& all = doubled.groups.emplace_back(group);
    all.members.clear();
    for (int rank = 0; rank < doubled.ranks; ++rank)
      all.members.push_back(rank);
  }
  return std::make_shared<ChangedSource<Doubled, DoubledStream>>(std::move(doubled));
}

} // namespace kakehashi
