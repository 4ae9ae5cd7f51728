// The records of a rank → events for a replay. docs/replay.md describes what each kind of call becomes.
#pragma once

#include "input/trace/recording/recording_records.hpp"
#include "input/trace/recording/recording_source.hpp"
#include "model/trace_event.hpp"

#include <deque>
#include <map>
#include <memory>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace kakehashi {

// A recording → answers that come later than the records that ask for them. It reads ahead as far as needed and keeps
// only the answers in between.
template <class Answer> class RecordingAhead {
public:
  explicit RecordingAhead(const std::string& file) : reader_(file) {}

  void ask(std::uint64_t number) { open_.insert(number); }
  void answer(std::uint64_t number, const Answer& answer) {
    if (open_.erase(number) > 0)
      found_.emplace(number, answer);
  }
  // `learn` calls ask() and answer() for a record. Returns nothing if there is no answer. Call it once for each number.
  template <class Learn> std::optional<Answer> take(std::uint64_t number, const Learn& learn) {
    while (!found_.contains(number)) {
      const auto record = reader_.next();
      if (!record)
        return std::nullopt;
      learn(*record);
    }
    return found_.extract(number).mapped();
  }

private:
  RecordingReader reader_;
  std::unordered_set<std::uint64_t> open_;
  std::unordered_map<std::uint64_t, Answer> found_;
};

// The requests of a recorded rank to GPUs, and the work that these did → work on a clock of its own, and waits for it.
//
// A stream does one work after the other, each after its start. Work also waits for events, as the rank asks for; and
// for what ended last on another stream before the work began, if the work could have begun earlier: the default
// stream, and copies that share an engine, behave so. The rest of the time until the work begins is the host's and the
// driver's, and is kept.

// The work that GPUs did, by the number of its start.
class RecordedWork {
public:
  explicit RecordedWork(const std::string& file) : ahead_(file) {}
  // Returns nothing if it is unknown. Call it once for each start.
  std::optional<DeviceWorkRecord> take(std::uint64_t number);

private:
  RecordingAhead<DeviceWorkRecord> ahead_;
};

struct DeviceSteps {
  std::optional<DeviceWorkEvent> work;
  std::optional<DeviceWaitEvent> wait;
  Seconds waited; // the part of the call's recorded time in which it waited
  Seconds rest;   // the rest of the call's time
};

class RecordedDevice {
public:
  explicit RecordedDevice(const std::string& file) : works_(file) {}
  // `time` is that of the call, in ns.
  DeviceSteps take(const DeviceRecord& record, std::uint64_t time);

private:
  struct Done {
    std::uint64_t number; // the replay's own number
    std::uint64_t end;    // ns in the recording
  };
  struct DeviceStream {
    std::deque<Done> done;     // sorted by end, without those that ended before the current call
    std::optional<Done> last;  // the last that was started
    std::vector<Done> ordered; // what its next work has to wait for
  };
  using StreamName = std::pair<std::uint64_t, std::uint64_t>; // context, stream

  std::optional<DeviceWorkEvent> start(const DeviceRecord& record, Done& done);
  std::optional<Done> cause_of(const DeviceWorkRecord& work, const DeviceRecord& started);
  std::vector<Done> awaited(const DeviceRecord& record) const;

  RecordedWork works_;
  std::map<StreamName, DeviceStream> streams_;
  std::unordered_map<std::uint64_t, std::optional<Done>> events_; // none: nothing had been started
  std::uint64_t last_number_ = 0;
};

// The messages that receives of any source or tag get, which records state only later.
class RecordedMatches {
public:
  explicit RecordedMatches(const std::string& file) : ahead_(file) {}
  // Returns nothing if the request never ended, or was cancelled. Call it once for each request.
  std::optional<MessageEnd> take(std::uint64_t request);

private:
  RecordingAhead<MessageEnd> ahead_;
};

class RecordingEvents {
public:
  RecordingEvents(std::string file, std::shared_ptr<const RecordingSurvey> survey, int rank)
      : reader_(std::move(file)), survey_(std::move(survey)), rank_(rank) {}

  const std::string& file() const { return reader_.file(); }
  std::optional<TraceEvent> next();
  std::optional<Error> fault() const { return reader_.fault(); }

private:
  struct Access { // an access to a window that has not ended
    int target;
    std::uint64_t request;
  };
  struct Window {
    std::size_t communicator;
    int tag; // tag of its messages; the next tag is also used
    std::vector<Access> open;
    std::vector<int> posted;  // ranks that may access this rank
    std::vector<int> started; // ranks that this rank may access
  };
  // The contexts of a communicator: that of its own messages, and further ones.
  enum class Purpose : std::size_t { messages, exchanges, windows, partitions };

  template <class What> void add(What what) {
    queue_.push_back({reader_.records(), {}, site_, region_, std::move(what)});
  }
  void add_work(std::uint64_t work);
  void add_time(const Record& record);
  std::size_t communicator(std::uint64_t number) const { // the world, if the file has changed since the survey
    return number < own().communicator_of.size() ? own().communicator_of[number] : 0;
  }
  const RecordedRank& own() const { return survey_->ranks[static_cast<std::size_t>(rank_)]; }
  std::size_t context(std::size_t communicator, Purpose purpose) const {
    return communicator + static_cast<std::size_t>(purpose) * survey_->communicators.size();
  }
  // Differs from all numbers in the file.
  std::uint64_t new_request() { return ++own_requests_ | std::uint64_t{1} << 63; }
  void call(std::size_t communicator, Collective collective, Bytes size = {}, bool makes_communicator = false);
  SendEvent send_of(const MessageEnd& end) const;
  ReceiveEvent receive_of(const MessageEnd& end) const;
  void add_receive(const MessageEnd& end, SendMode mode, std::uint64_t request, std::uint64_t as);
  void signal(const Window& window, const std::vector<int>& ranks, int tag);
  void await(const Window& window, const std::vector<int>& ranks, int tag);
  void end_accesses(Window& window, const std::vector<int>& targets);

  void take(const StartRecord&) {}
  void take(const CommunicatorRecord& made);
  void take(const WindowRecord& made);
  void take(const SendRecord& send);
  void take(const ReceiveRecord& receive);
  void take(const SendReceiveRecord& both);
  void take(const CompleteRecord& complete);
  void take(const CollectiveRecord& call);
  void take(const ExchangeRecord& exchange);
  void take(const RemoteRecord& remote);
  void take(const WindowStepRecord& step);
  void take(const PolledRecord&) {}
  void take(const ElapsedRecord&) {}
  void take(const ProbedRecord&) {}
  void take(const EndRecord&) {}
  void take(const SiteRecord& site);
  void take(const RegionRecord& region);
  void take(const DeviceRecord& call);
  void take(const DeviceWorkRecord&) {}

  RecordingReader reader_;
  std::shared_ptr<const RecordingSurvey> survey_;
  int rank_;
  std::deque<TraceEvent> queue_;
  Seconds in_calls_;       // time that no event has yet
  std::uint64_t time_ = 0; // time of the current call, ns
  std::unique_ptr<RecordedMatches> matches_;
  std::unique_ptr<RecordedDevice> device_;
  std::vector<Window> windows_;
  std::map<std::size_t, int> windows_of_;                               // number of windows of each communicator
  std::unordered_map<std::uint64_t, std::vector<std::uint64_t>> parts_; // requests that are several operations
  std::uint64_t own_requests_ = 0;
  std::deque<std::string> sites_;              // sites by number, from 1
  std::set<std::string, std::less<>> regions_; // all that have begun; "step/solve" is one inside another
  std::vector<std::string_view> open_regions_;
  std::string_view site_; // site of the current record
  std::string_view region_;
};

} // namespace kakehashi
