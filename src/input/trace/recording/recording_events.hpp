// The records of a rank → events for a replay. docs/replay.md describes what each kind of call becomes.
#pragma once

#include "input/trace/recording/recording_device.hpp"
#include "input/trace/recording/recording_survey.hpp"
#include "model/trace_event.hpp"

#include <deque>
#include <map>
#include <memory>
#include <set>
#include <unordered_map>

namespace kakehashi {

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
    int tag; // of its messages; the next tag is also used
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
  std::uint64_t time_ = 0; // of the current call, ns
  std::unique_ptr<RecordedMatches> matches_;
  std::unique_ptr<RecordedDevice> device_;
  std::vector<Window> windows_;
  std::map<std::size_t, int> windows_of_;                               // number of windows of each communicator
  std::unordered_map<std::uint64_t, std::vector<std::uint64_t>> parts_; // requests that are several operations
  std::uint64_t own_requests_ = 0;
  std::deque<std::string> sites_;              // by number, from 1
  std::set<std::string, std::less<>> regions_; // all that have begun; "step/solve" is one inside another
  std::vector<std::string_view> open_regions_;
  std::string_view site_; // of the current record
  std::string_view region_;
};

} // namespace kakehashi
