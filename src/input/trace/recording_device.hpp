// What a recorded rank asks of GPUs, and what these did → work on a clock of its own, and waits for it.
//
// A stream does one work after the other, each after its start. Work also waits for events, as the rank asks for it;
// and for what ended last on another stream before it began, if it could have begun before: so do the default stream,
// and copies that share an engine. What then is still missing to its begin is the host's and the driver's, and is kept.
#pragma once

#include "input/trace/recording_ahead.hpp"
#include "model/trace_event.hpp"

#include <deque>
#include <map>
#include <unordered_map>

namespace kakehashi {

// What GPUs did, by the number of its start.
class RecordedWork {
public:
  explicit RecordedWork(const std::string& file) : ahead_(file) {}
  // Nothing: it is not known. Once for each start.
  std::optional<DeviceWorkRecord> take(std::uint64_t number);

private:
  RecordingAhead<DeviceWorkRecord> ahead_;
};

struct DeviceSteps {
  std::optional<DeviceWorkEvent> work;
  std::optional<DeviceWaitEvent> wait;
  Seconds waited; // of the recorded time of the call
  Seconds rest;   // of it: the call's own
};

class RecordedDevice {
public:
  explicit RecordedDevice(const std::string& file) : works_(file) {}
  // time: of the call, in ns
  DeviceSteps take(const DeviceRecord& record, std::uint64_t time);

private:
  struct Done {
    std::uint64_t number; // of the replay's own
    std::uint64_t end;    // in the recording, ns
  };
  struct DeviceStream {
    std::deque<Done> done;     // by end; those that ended before the call at hand are left out
    std::optional<Done> last;  // of all that were started
    std::vector<Done> ordered; // what its next work waits for
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

} // namespace kakehashi
